import type { Bench, Twist } from '../bench';
import { all, withHeader, withMethod, withoutHeader, withUrl } from '../changes';
import type { Role } from '../ports';
import type { Scenario } from '../scenario';
import { DoesNotApply } from '../verdict';
import { platformCalls } from './calls';
import { nonces, times } from './signature-times';
import { flipped, refuses, tampered, withChanged, without, withSignature } from './signature-twists';

const refused = '4xx or an error_code';
const rawFix =
  'Build the signed text from the request that came in: its method, the URL as agreed, the headers, and the raw bytes of the body.';

const onEach = (role: Role): Scenario[] =>
  platformCalls[role].flatMap(({ kind, slug, name }): Scenario[] => [
    {
      id: `signature.none-${slug}`,
      title: `${name}: a call without a signature is refused`,
      sent: 'a good call without the signature header',
      expected: refused,
      line: 'signature',
      fix: 'Refuse where the signature header is missing; never fall back to "unsigned".',
      run: refuses(kind, without('signature')),
    },
    {
      id: `signature.other-key-${slug}`,
      title: `${name}: a signature of another key is refused`,
      sent: 'a good call signed with a key that you do not know',
      expected: refused,
      line: 'signature',
      fix: 'Verify with the key that you hold, and look at what the verification says.',
      run: refuses(kind, () => ({ asStranger: true })),
    },
    {
      id: `signature.body-${slug}`,
      title: `${name}: a body that was changed is refused`,
      sent: 'a member added to the body after it was signed',
      expected: refused,
      line: 'signature',
      fix: rawFix,
      run: refuses(kind, () => ({ after: tampered }), 'payload'),
    },
  ]);

const elsewhere: Twist = { before: withUrl((url) => `${url}/elsewhere`), after: withUrl((url) => url.replace(/\/elsewhere$/, '')) };

function basicInstead({ context: { basic, signature } }: Bench): Twist {
  if (basic === undefined) throw new DoesNotApply('the settings hold no Basic credentials');
  return { after: all(withoutHeader(signature.headerNames.signature), withHeader('Authorization', basic)) };
}

const parts: readonly Scenario[] = [
  {
    id: 'signature.altered',
    title: 'A signature with one character changed is refused',
    sent: 'a character in the middle of the signature changed',
    expected: refused,
    line: 'signature',
    fix: 'Compare or verify the whole signature.',
    run: refuses('lead', withSignature(flipped)),
  },
  {
    id: 'signature.empty',
    title: 'An empty signature is refused',
    sent: 'the signature header with nothing in it',
    expected: refused,
    line: 'signature',
    fix: 'Refuse an empty signature before you verify.',
    run: refuses(
      'lead',
      withSignature(() => ''),
    ),
  },
  {
    id: 'signature.short',
    title: 'A signature that is cut off is refused, not a fault',
    sent: 'the first eight characters of the signature',
    expected: refused,
    line: 'signature',
    fix: 'Catch what your crypto library throws at a signature of a wrong length, and refuse.',
    run: refuses(
      'lead',
      withSignature((text) => text.slice(0, 8)),
    ),
  },
  {
    id: 'signature.url',
    title: 'A signature for another URL is refused',
    sent: 'a call signed for another path',
    expected: refused,
    line: 'signature',
    fix: rawFix,
    run: refuses('lead', () => elsewhere, 'url'),
  },
  {
    id: 'signature.method',
    title: 'A signature for another method is refused',
    sent: 'a POST signed as PUT',
    expected: refused,
    line: 'signature',
    fix: rawFix,
    run: refuses('lead', () => ({ before: withMethod('PUT'), after: withMethod('POST') }), 'request_method'),
  },
  {
    id: 'signature.client-id',
    title: 'Another Api client ID is refused',
    sent: 'the client id header changed after signing',
    expected: refused,
    line: 'signature',
    fix: 'Compare the client id header with the Api client ID that you agreed on.',
    run: refuses(
      'lead',
      withChanged('clientId', (text) => `${text}x`),
      'client_id',
    ),
  },
  {
    id: 'signature.basic-instead',
    title: 'Basic in place of a signature is refused',
    sent: 'a good call with Basic credentials and without a signature',
    expected: refused,
    line: 'replacesBasic',
    fix: 'Once signing is agreed on, take nothing else: an old secret would open the door again.',
    run: refuses('lead', basicInstead),
  },
];

/** Scenarios with wrong request signatures, for every call that is signed. */
export const signatures = (role: Role): readonly Scenario[] => [...onEach(role), ...times, ...parts, ...nonces];
