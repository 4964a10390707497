import { JsonObject, type Json } from '../../domain/shared/json';
import type { Bench, Twist } from '../bench';
import { escaped, withMember } from '../changes';
import type { RunState } from '../run-state';
import type { Scenario } from '../scenario';
import { Unmet } from '../verdict';
import { manyScripts, nested, wide } from './texts';

type UserChange = Readonly<Record<string, Json | undefined>>;

const post = 'POST to the Get auth token URL';
const token = '2xx with auth_token';

/** Requires a token for the user with this change. */
const signsOn =
  (change: UserChange = {}, twist: Twist = {}) =>
  async (bench: Bench, state: RunState): Promise<void> => {
    await bench.accepted(await state.good('miniapp_token', bench, change), twist);
  };

const onlyReference = ({ context }: Bench): UserChange =>
  Object.fromEntries(
    [...context.test.user.members.keys()].filter((name) => !context.neededUserFields.includes(name)).map((name) => [name, undefined]),
  );

/** Scenarios for a miniapp's Get auth token URL. */
export const miniappSignOn: readonly Scenario[] = [
  {
    id: 'sign-on.user',
    title: 'A user with all fields gets a token',
    sent: `${post}: reference, email, phone, first_name, last_name`,
    expected: token,
    line: 'authToken',
    fix: 'Make a session for the user whom reference names, creating the user where needed, and answer its token as auth_token.',
    run: signsOn(),
  },
  {
    id: 'sign-on.least',
    title: 'A user with nothing but what you require gets a token',
    sent: `${post}: reference, and required_user_fields`,
    expected: token,
    line: 'userData',
    fix: 'Do not depend on fields that you do not list in required_user_fields: everything but reference may be absent.',
    run: (bench, state) => signsOn(onlyReference(bench))(bench, state),
  },
  {
    id: 'sign-on.again',
    title: 'A user who is known signs on again',
    sent: `${post}, the same user twice`,
    expected: `${token}, both times`,
    line: 'authToken',
    fix: 'Look the user up by reference before creating one; a second sign-on is no conflict.',
    run: async (bench, state) => {
      await signsOn()(bench, state);
      await signsOn()(bench, state);
    },
  },
  {
    id: 'sign-on.parallel',
    title: 'A new user signs on five times at once',
    sent: `${post}, five equal calls at once`,
    expected: `${token}, five times`,
    line: 'authToken',
    fix: 'Create users with an insert that tolerates a duplicate, so that calls that race for the same reference all succeed.',
    run: async (bench, state) => {
      const reference = state.fresh('user');
      const call = await state.good('miniapp_token', bench, { reference });
      await Promise.all(Array.from({ length: 5 }, () => bench.accepted(call)));
    },
  },
  {
    id: 'sign-on.unicode',
    title: 'Names of many scripts',
    sent: `${post}: names with CJK, Cyrillic, right-to-left text, joined emoji, quotes, backslashes, line ends`,
    expected: token,
    line: 'utf8',
    fix: 'Read the body as UTF-8 and store names in columns that take every character (in MySQL: utf8mb4).',
    run: signsOn({ first_name: manyScripts, last_name: 'O’Neill-Søndergård' }),
  },
  {
    id: 'sign-on.escapes',
    title: 'The same characters as JSON escapes',
    sent: `${post}: the body with every non-ASCII character and slash as \\u escape`,
    expected: token,
    line: 'utf8',
    fix: 'Use a JSON parser, and check signatures over the raw bytes, not over a body that was printed again.',
    run: signsOn({ first_name: '森由紀 👩‍🚀', last_name: 'a/b' }, { before: escaped }),
  },
  {
    id: 'sign-on.null-fields',
    title: 'Optional fields that are null',
    sent: `${post}: phone, last_name and custom_attributes null`,
    expected: token,
    line: 'nullIsAbsent',
    fix: 'Treat null like an absent field.',
    run: (bench, state) => {
      const optional = ['phone', 'last_name', 'custom_attributes'].filter((name) => !bench.context.neededUserFields.includes(name));
      return signsOn(Object.fromEntries(optional.map((name) => [name, null])))(bench, state);
    },
  },
  {
    id: 'sign-on.unknown-fields',
    title: 'Fields that are not known yet',
    sent: `${post}: two members that no version of the contract has`,
    expected: token,
    line: 'unknownIgnored',
    fix: 'Ignore members that you do not know; do not validate with "no additional properties".',
    run: signsOn({ conformance_extra: 'yes', conformance_more: JsonObject.of({ a: [null] }) }),
  },
  {
    id: 'sign-on.attributes',
    title: 'Nested custom attributes',
    sent: `${post}: custom_attributes with objects in lists, nulls and 20-digit numbers`,
    expected: token,
    line: 'userData',
    fix: 'Take custom_attributes as any JSON object.',
    run: signsOn({ custom_attributes: nested }),
  },
  {
    id: 'sign-on.long-values',
    title: 'Values of the greatest length',
    sent: `${post}: reference of 100 characters, names of 250`,
    expected: token,
    line: 'stringSizes',
    fix: 'Widen the columns: reference 100, names 250, e-mail 254 characters.',
    run: (bench, state) => {
      const reference = state.fresh('user').padEnd(100, '0');
      return signsOn({ reference, first_name: 'é'.repeat(250), last_name: '森'.repeat(250) })(bench, state);
    },
  },
  {
    id: 'sign-on.large',
    title: 'A large body',
    sent: `${post}: custom_attributes of 60 KiB`,
    expected: token,
    line: 'bodySize',
    fix: 'Raise the body limit of this route to 256 KiB at least (many frameworks stop at 100 KB or less).',
    run: signsOn({ custom_attributes: wide(60 * 1024) }),
  },
  {
    id: 'sign-on.nobody',
    title: 'A body that names no user gets no token',
    sent: `${post}: {}`,
    expected: '4xx or an error_code',
    line: 'userData',
    fix: 'Refuse a call without reference (and without whatever else you know users by) with 400 and the Error body.',
    run: async (bench, state) => {
      const none = Object.fromEntries([...bench.context.test.user.members.keys()].map((name) => [name, undefined]));
      await bench.refused(await state.good('miniapp_token', bench, none));
    },
  },
  {
    id: 'sign-on.wrong-type',
    title: 'A reference that is no text gets no token',
    sent: `${post}: reference is an object`,
    expected: '4xx or an error_code',
    line: 'userData',
    fix: 'Check that reference is text: an object in its place has opened more than one database query.',
    run: async (bench, state) => {
      const user = await state.good('miniapp_token', bench, { email: undefined });
      await bench.refused(user, { before: withMember('reference', JsonObject.of({ $ne: '' })) });
    },
  },
  {
    id: 'sign-on.own-session',
    title: 'Two users get two tokens',
    sent: `${post}: two references, one after the other`,
    expected: 'two different auth_tokens',
    line: 'authToken',
    fix: 'Make the token from the user of this very call; look for state that is shared between requests.',
    run: async (bench, state) => {
      const tokens: unknown[] = [];
      for (const reference of [state.fresh('user'), state.fresh('user')]) {
        const answer = await bench.accepted(await state.good('miniapp_token', bench, { reference }));
        tokens.push(answer.get('auth_token') ?? answer.get('token'));
      }
      if (tokens[0] === tokens[1]) throw new Unmet('two users were given the same token');
    },
  },
];
