import { all, withBody, withHeader, withMember } from '../changes';
import type { Bench } from '../bench';
import { textIn } from '../run-state';
import type { Scenario } from '../scenario';
import { Unmet } from '../verdict';

const post = 'POST to the Access token URL';
const refused = '4xx or an error_code';
const pair = '2xx with access_token';

const refuses =
  (authCode: string) =>
  async (bench: Bench): Promise<void> => {
    await bench.refused({ kind: 'exchange', authCode });
  };

/** Scenarios for a host app's Access token URL. */
export const hostAppSignOn: readonly Scenario[] = [
  {
    id: 'sign-on.code',
    title: 'An auth code is exchanged for tokens',
    sent: `${post}: an unused auth_code`,
    expected: pair,
    line: 'exchange',
    fix: 'Answer {"access_token": …, "refresh_token": …} to a code that you have given out.',
    run: async (bench, state) => {
      textIn(await bench.accepted(await state.good('exchange', bench)), 'access_token');
    },
  },
  {
    id: 'sign-on.unknown-fields',
    title: 'Fields that are not known yet',
    sent: `${post}: an unused auth_code and a member that no version of the contract has`,
    expected: pair,
    line: 'unknownIgnored',
    fix: 'Ignore members that you do not know.',
    run: async (bench, state) => {
      await bench.accepted(await state.good('exchange', bench), { before: withMember('conformance_extra', null) });
    },
  },
  {
    id: 'sign-on.used-code',
    title: 'A code that was used is refused',
    sent: `${post} twice, with the same auth_code`,
    expected: `${pair}, then ${refused}`,
    line: 'codeOnce',
    fix: 'Take the code out of your store in the very statement that finds it, and answer INVALID_AUTH_CODE afterwards.',
    run: async (bench, state) => {
      const call = await state.good('exchange', bench);
      await bench.accepted(call);
      await bench.refused(call);
    },
  },
  {
    id: 'sign-on.code-race',
    title: 'A code that is used five times at once works once',
    sent: `${post}, five equal calls at once`,
    expected: 'one 2xx with access_token, all others refused',
    line: 'codeOnce',
    fix: 'Look the code up and use it up in one statement, not in two.',
    run: async (bench, state) => {
      const call = await state.good('exchange', bench);
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => bench.survived(call)));
      const problems = await Promise.all(outcomes.map((outcome) => bench.requests.problem(call, outcome)));
      const good = problems.filter((problem) => problem === undefined).length;
      if (good !== 1) throw new Unmet(`the code worked ${String(good)} times`);
    },
  },
  {
    id: 'sign-on.expired-code',
    title: 'A code that is too old is refused',
    sent: `${post}: an expired auth_code`,
    expected: refused,
    line: 'codeOnce',
    fix: 'Keep the time at which a code was given out and refuse it after minutes, with EXPIRED_AUTH_CODE.',
    run: async (bench, state) => refuses(await state.expiredCode(bench))(bench),
  },
  {
    id: 'sign-on.unknown-code',
    title: 'A code that was never given out is refused',
    sent: `${post}: a made-up auth_code`,
    expected: refused,
    line: 'codeOnce',
    fix: 'Answer INVALID_AUTH_CODE to a code that you do not know.',
    run: async (bench, state) => refuses(state.fresh('code'))(bench),
  },
  {
    id: 'sign-on.odd-code',
    title: 'A code of odd characters is refused, not a fault',
    sent: `${post}: auth_code with quotes, blanks, a percent sign and an emoji`,
    expected: refused,
    line: 'utf8',
    fix: 'Bind the code as a parameter of your query; do not build the query from it.',
    run: refuses(`' OR 1=1 -- %00 "\\ 👩‍🚀`),
  },
  {
    id: 'sign-on.long-code',
    title: 'A code of the greatest length is refused, not a fault',
    sent: `${post}: a made-up auth_code of 1000 characters`,
    expected: refused,
    line: 'stringSizes',
    fix: 'Refuse what is longer than any code of yours before you look it up.',
    run: refuses('x'.repeat(1000)),
  },
  {
    id: 'sign-on.no-code',
    title: 'A call without a code is refused',
    sent: `${post}: {}`,
    expected: refused,
    line: 'exchange',
    fix: 'Refuse a body without auth_code with 400 and the Error body.',
    run: async (bench, state) => {
      await bench.refused({ kind: 'exchange', authCode: state.fresh('code') }, { before: withBody('{}') });
    },
  },
  {
    id: 'sign-on.code-no-text',
    title: 'A code that is no text is refused',
    sent: `${post}: auth_code is true`,
    expected: refused,
    line: 'exchange',
    fix: 'Check that auth_code is text before you look it up.',
    run: async (bench, state) => {
      await bench.refused({ kind: 'exchange', authCode: state.fresh('code') }, { before: withMember('auth_code', true) });
    },
  },
  {
    id: 'sign-on.form',
    title: 'A code in a form is refused',
    sent: `${post}: the auth_code as application/x-www-form-urlencoded`,
    expected: refused,
    line: 'jsonOnly',
    fix: 'Read JSON alone on this route.',
    run: async (bench, state) => {
      const call = await state.good('exchange', bench);
      if (call.kind !== 'exchange') return;
      const form = new URLSearchParams({ auth_code: call.authCode }).toString();
      await bench.refused(call, { before: all(withHeader('Content-Type', 'application/x-www-form-urlencoded'), withBody(form)) });
    },
  },
];
