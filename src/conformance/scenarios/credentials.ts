import type { Bench, Twist } from '../bench';
import { headerOf, withHeader, withoutHeader, type Change } from '../changes';
import type { CallKind, Role } from '../ports';
import type { RunState } from '../run-state';
import type { Scenario } from '../scenario';
import { DoesNotApply } from '../verdict';
import { carriesUserToken, leadCall, platformCalls } from './calls';

const refused = '4xx or an error_code';
const line = 'basic';
const fix = 'Compare user and secret of the Basic header with the ones that you hold, in constant time, before anything else.';

/** Throws DoesNotApply where the service authenticates without Basic. */
function requireBasic({ context }: Bench, kind: CallKind): void {
  if (context.proof === 'signature') throw new DoesNotApply('request signing is agreed on in place of Basic');
  if (context.proof === 'client-token') throw new DoesNotApply('a client access token is agreed on in place of Basic');
  if (carriesUserToken(context, kind)) throw new DoesNotApply('use_access_token is on: this call carries the token of a user');
}

const refuses =
  (kind: CallKind, twist: Twist) =>
  async (bench: Bench, state: RunState): Promise<void> => {
    requireBasic(bench, kind);
    await bench.refused(await state.good(kind, bench), twist);
  };

/** Changes one part of `Basic base64(user:secret)`. */
const withBasic =
  (change: (user: string, secret: string) => string): Change =>
  (draft) => {
    const [scheme = 'Basic', encoded = ''] = headerOf(draft, 'Authorization')?.split(' ') ?? [];
    const [user = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s);
    return withHeader('Authorization', `${scheme} ${Buffer.from(change(user, secret)).toString('base64')}`)(draft);
  };

function inCapitals(secret: string): string {
  const capitals = secret.toUpperCase();
  if (capitals === secret) throw new DoesNotApply('the secret has no small letters');
  return capitals;
}

const oddOnes: readonly (readonly [name: string, title: string, sent: string, after: Change])[] = [
  [
    'wrong-user',
    'Another user name is refused',
    'the right secret under another user name',
    withBasic((_, secret) => `somebody:${secret}`),
  ],
  ['no-secret', 'An empty secret is refused', 'the right user with nothing behind the colon', withBasic((user) => `${user}:`)],
  ['case', 'A secret in other letters is refused', 'the secret in capitals', withBasic((user, secret) => `${user}:${inCapitals(secret)}`)],
  [
    'longer',
    'A secret with something behind it is refused',
    'the secret and one more character',
    withBasic((user, secret) => `${user}:${secret}x`),
  ],
  [
    'scheme',
    'Another scheme is refused',
    'the Basic value behind the word Bearer',
    (draft) => withHeader('Authorization', headerOf(draft, 'Authorization')?.replace(/^\S+/, 'Bearer') ?? '')(draft),
  ],
  ['garbage', 'What is no Basic value is refused', 'Authorization: Basic %%%', withHeader('Authorization', 'Basic %%%')],
];

/** Scenarios with wrong Basic credentials, for every call that carries them. */
export const credentials = (role: Role): readonly Scenario[] => [
  ...platformCalls[role].flatMap(({ kind, slug, name }): Scenario[] => [
    {
      id: `credentials.none-${slug}`,
      title: `${name}: a call without credentials is refused`,
      sent: 'a good call without Authorization',
      expected: refused,
      line,
      fix,
      run: refuses(kind, { after: withoutHeader('Authorization') }),
    },
    {
      id: `credentials.wrong-${slug}`,
      title: `${name}: a call with a wrong secret is refused`,
      sent: 'a good call with another secret',
      expected: refused,
      line,
      fix,
      run: refuses(kind, { asStranger: true }),
    },
  ]),
  ...oddOnes.map(([name, title, sent, after]): Scenario => {
    return { id: `credentials.${name}`, title, sent, expected: refused, line, fix, run: refuses(leadCall[role].kind, { after }) };
  }),
];
