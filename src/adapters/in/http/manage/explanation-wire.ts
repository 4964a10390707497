import type { Explanation } from '../../../../domain/credentials/explain/explanation';
import { present } from './present';

/** An explanation as it is shown. */
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
    causes: causes.map(({ codes, sentence: said }) => ({ code: codes[0], codes, sentence: said })),
    differs_at: difference?.at,
    difference: difference && { expected: difference.expected, signed: difference.signed },
    expected_string: expectedString,
    signed_string: signedString,
    clock_skew_s: clockSkewS,
    code,
    checking_code: checkingCode,
  });
