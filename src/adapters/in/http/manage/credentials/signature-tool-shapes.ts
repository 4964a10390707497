import { sampleLanguages } from '../../../../../domain/credentials/explain/sample-languages';
import { count, flag, list, members, number, object, oneOf, ref, text, type Member, type Schema } from '../../../../dto/schema';

const code: Member = [ref('SigningCode'), 'Programs that sign under the same settings.'];
const checkingCode: Member = [ref('SigningCode'), "Programs that check the platform's signatures under the same settings."];

const languageNames: Readonly<Record<string, string>> = {
  typescript: 'TypeScript for Node',
  python: 'Python',
  java: 'Java',
  go: 'Go',
  php: 'PHP',
  shell: 'shell with openssl',
};
const programIn = (language: string): Member => [
  text,
  `A whole program in ${languageNames[language] ?? language}, ready to run; absent where it cannot do it.`,
];

const cause = members({
  code: [text, 'Name of the mistake for programs, such as `body-reserialised`.'],
  codes: [list(text), 'Names of all mistakes that were made together; the first is `code`.'],
  sentence: [text, 'What was done otherwise than agreed, in one sentence to the sender.'],
});

/** Schemas of tools for signatures and payloads. */
export const signatureToolShapes: Readonly<Record<string, Schema>> = {
  Explanation: object('Why a signature did not pass. It holds no secret and no signature.', {
    verdict: [
      oneOf('fits', 'explained', 'unknown', 'settings-incomplete'),
      '`fits`: it is right; `explained`: the mistake is proved; `unknown`: no known mistake explains it.',
    ],
    sentence: [text, 'The answer in one sentence to the sender.'],
    causes: [list(cause), 'Mistakes that explain the signature; the first is the answer, the others fit as well.'],
    'differs_at?': [count, 'Offset in bytes at which the signed text leaves the expected one; absent where none was found.'],
    'difference?': [
      members({
        expected: [ref('Excerpt'), 'The first difference, in the text that must be signed.'],
        signed: [ref('Excerpt'), 'The first difference, in the text that the sender signed.'],
      }),
      'Both texts around their first difference.',
    ],
    'expected_string?': [
      text,
      'Text that must be signed, invisible characters shown, cut where it is long; absent while settings are missing.',
    ],
    'signed_string?': [text, 'Text that the sender signed, where it was found.'],
    'clock_skew_s?': [number, "Seconds by which the sender's clock is ahead; negative: behind."],
    code,
    checking_code: checkingCode,
  }),
  Excerpt: object('A part of a text around one offset.', {
    text: [text, 'The part, invisible characters shown.'],
    column: [count, 'Number of characters in it before the offset.'],
  }),
  SigningCode: object(
    'One program for each language.',
    Object.fromEntries(sampleLanguages.map((language) => [`${language}?`, programIn(language)])),
  ),
  SignaturePreview: object('How a call is signed, step by step.', {
    url: [text, '`{url}` as it is signed, in the form of `url_form`.'],
    signed_string: [text, 'Text to sign, invisible characters shown, cut in the middle where it is long.'],
    bytes: [count, 'Length of the whole text in bytes.'],
    'signature?': [text, 'Signature over it; absent where no key is there to sign with.'],
    headers: [list(list(text)), 'Pairs of name and value to send, the signature among them where it was made.'],
    'public_key?': [text, 'Public part of the key pair that was made for this answer; absent without `throwaway_key`.'],
    code,
    checking_code: checkingCode,
  }),
  OpenedPayload: object('What is inside an encrypted payload, or why it does not open.', {
    opens: [flag, 'Whether the payload opens with the key.'],
    cipher: [oneOf('AES-256-CBC', 'AES-256-GCM'), 'Cipher by the form of the payload; `v2.` begins the second.'],
    'plain?': [text, 'Decrypted text; absent where it does not open.'],
    'problem?': [oneOf('encoding', 'length', 'key', 'padding', 'tag', 'cipher'), 'At which part the payload fails; absent where it opens.'],
    'sentence?': [text, 'What is wrong and how to mend it, for people; absent where it opens.'],
  }),
};
