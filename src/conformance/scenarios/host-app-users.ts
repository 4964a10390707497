import { headerOf, withHeader, withoutHeader, type Change } from '../changes';
import type { Bench } from '../bench';
import { codeOf, requireHarmless, shortOf } from '../outcome-checks';
import type { Outcome } from '../ports';
import { textIn, userDataIn, type RunState } from '../run-state';
import type { Scenario } from '../scenario';
import { DoesNotApply, Unmet } from '../verdict';

const get = 'GET of the User data URL';
const noToken = '401, EXPIRED_ACCESS_TOKEN or INVALID_ACCESS_TOKEN';
const fix = 'Answer 401 to a token that you do not take: the service then refreshes it once and repeats the call.';

/** Requires the answer that triggers the refresh (contract/authentication#retry-after-401). */
function requireTokenRefused(outcome: Outcome): void {
  requireHarmless(outcome);
  const code = codeOf(outcome) ?? '';
  if (outcome.status === 401 || ['EXPIRED_ACCESS_TOKEN', 'INVALID_ACCESS_TOKEN'].includes(code)) return;
  if (outcome.status < 300 && code === '') throw new Unmet(`answered ${shortOf(outcome)}: the call was taken`);
  throw new Unmet(`answered ${shortOf(outcome)}: no refresh follows on that`, fix);
}

const refusesToken =
  (after: Change) =>
  async (bench: Bench, state: RunState): Promise<void> => {
    requireTokenRefused(await bench.send(await state.good('user_data', bench), { after }));
  };

const read = async (bench: Bench, state: RunState): Promise<string> =>
  textIn(userDataIn(await bench.accepted(await state.good('user_data', bench))), 'reference');

const shortened: Change = (draft) => withHeader('Authorization', headerOf(draft, 'Authorization')?.slice(0, -1) ?? '')(draft);

/** Scenarios for a host app's User data URL. */
export const hostAppUsers: readonly Scenario[] = [
  {
    id: 'user-data.user',
    title: 'The user of a token is told',
    sent: `${get} with the user access token`,
    expected: '2xx with user_data: reference, and fields that fit the contract',
    line: 'readUser',
    fix: 'Answer {"user_data": {"reference": …}}; e-mail a plain address, phone in E.164, names up to 250 characters.',
    run: async (bench, state) => {
      await read(bench, state);
    },
  },
  {
    id: 'user-data.stable',
    title: 'The reference of a user stays',
    sent: `${get} twice with the same token`,
    expected: 'the same reference both times',
    line: 'readUser',
    fix: 'Use an id of your own as reference that never changes for a user.',
    run: async (bench, state) => {
      if ((await read(bench, state)) !== (await read(bench, state))) throw new Unmet('two calls with one token name two users');
    },
  },
  {
    id: 'user-data.unknown-token',
    title: 'A token that was never given out is refused',
    sent: `${get} with a made-up token`,
    expected: noToken,
    line: 'tokenRefused',
    fix,
    run: async (bench) => {
      requireTokenRefused(await bench.send({ kind: 'user_data', userToken: 'made-up' }));
    },
  },
  {
    id: 'user-data.altered-token',
    title: 'A token with its last character cut off is refused',
    sent: `${get} with a token that is one character short`,
    expected: noToken,
    line: 'tokenRefused',
    fix: 'Compare the whole token, or check the whole signature of it.',
    run: refusesToken(shortened),
  },
  {
    id: 'user-data.no-token',
    title: 'A call without a token is refused',
    sent: `${get} without Authorization`,
    expected: noToken,
    line: 'tokenRefused',
    fix: 'Ask for the token on every call.',
    run: refusesToken(withoutHeader('Authorization')),
  },
  {
    id: 'user-data.basic',
    title: 'Basic is no token of a user',
    sent: `${get} with the Basic credentials of the service`,
    expected: noToken,
    line: 'tokenRefused',
    fix: 'Only a user access token says whose data is asked for.',
    run: async (bench, state) => {
      const { basic } = bench.context;
      if (basic === undefined) throw new DoesNotApply('the settings hold no Basic credentials');
      await refusesToken(withHeader('Authorization', basic))(bench, state);
    },
  },
  {
    id: 'user-data.refresh-token',
    title: 'A refresh token is no access token',
    sent: `${get} with the refresh token`,
    expected: noToken,
    line: 'tokenRefused',
    fix: 'Keep the two kinds of token apart.',
    run: async (bench, state) => {
      requireTokenRefused(await bench.send({ kind: 'user_data', userToken: await state.refreshToken(bench) }));
    },
  },
  {
    id: 'user-data.own-user',
    title: 'Two sign-ons of a user name the same user',
    sent: `${get} with the tokens of two sign-ons`,
    expected: 'the same reference',
    line: 'readUser',
    fix: 'Find the user through the sign-on that the token was made for.',
    run: async (bench, state) => {
      if (!bench.context.test.authCodeSource) throw new DoesNotApply('the codes of test.auth_codes may be of several users');
      const first = await state.signedOn(bench);
      const second = await state.signedOn(bench, { anew: true });
      if (first.reference !== second.reference) throw new Unmet('the same user was given two references');
    },
  },
];
