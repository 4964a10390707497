import type { Explanation } from '../../../../../domain/credentials/explain/explanation';
import { present } from '../http/present';

/** An explanation in the form of the API. */
export const explanationView = ({
  verdict,
  causes,
  sentence,
  expectedString,
  signedString,
  difference,
  clockSkewS,
  code,
  checkingCode,
}: Explanation) =>
  present({
    verdict,
    sentence,
    causes: causes.map(({ codes, sentence: text }) => ({ code: codes[0], codes, sentence: text })),
    differs_at: difference?.at,
    difference: difference && { expected: difference.expected, signed: difference.signed },
    expected_string: expectedString,
    signed_string: signedString,
    clock_skew_s: clockSkewS,
    code,
    checking_code: checkingCode,
  });
