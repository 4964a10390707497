import type { Bench } from '../bench';
import { withBody } from '../changes';
import { textIn, type RunState, type Session } from '../run-state';
import type { Scenario } from '../scenario';
import { Unmet } from '../verdict';

const post = 'POST to the Refresh token URL';
const refused = '4xx or an error_code';

/** Refreshes the tokens of the signed-on user. Returns the session with the access token before. */
async function renew(bench: Bench, state: RunState): Promise<Session> {
  const refreshToken = await state.refreshToken(bench);
  const { reference } = await state.signedOn(bench);
  const answer = await bench.accepted({ kind: 'refresh', refreshToken });
  const next = answer.get('refresh_token');
  const session = {
    reference,
    accessToken: textIn(answer, 'access_token'),
    // Without a new refresh token the old one stays valid.
    refreshToken: typeof next === 'string' && next !== '' ? next : refreshToken,
  };
  state.renewed(session);
  return session;
}

const readsAs = async (bench: Bench, { accessToken, reference }: Session): Promise<void> => {
  const answer = await bench.accepted({ kind: 'user_data', userToken: accessToken });
  const inner = answer.get('user_data');
  const user = inner !== null && typeof inner === 'object' && 'get' in inner ? inner : answer;
  if (user.get('reference') !== reference) throw new Unmet('the renewed token names another user');
};

/** Scenarios for a host app's Refresh token URL. */
export const hostAppRefresh: readonly Scenario[] = [
  {
    id: 'refresh.renewed',
    title: 'A refresh token gives a new access token',
    sent: `${post}: refresh_token`,
    expected: '2xx with access_token, optionally a new refresh_token',
    line: 'refresh',
    fix: 'Answer {"access_token": …}; with a new refresh_token where the old one must not be used again.',
    run: async (bench, state) => {
      await renew(bench, state);
    },
  },
  {
    id: 'refresh.works',
    title: 'The new access token works, for the same user',
    sent: `${post}, then GET of the User data URL with the new token`,
    expected: 'the user of before',
    line: 'refresh',
    fix: 'Store the new token before you answer with it.',
    run: async (bench, state) => readsAs(bench, await renew(bench, state)),
  },
  {
    id: 'refresh.again',
    title: 'Tokens can be renewed again and again',
    sent: `${post} three times, each time with the newest refresh token`,
    expected: '2xx with access_token, three times',
    line: 'refresh',
    fix: 'Answer with the refresh token that works next, or with none where the old one stays.',
    run: async (bench, state) => {
      for (let i = 0; i < 2; i++) await renew(bench, state);
      await readsAs(bench, await renew(bench, state));
    },
  },
  {
    id: 'refresh.unknown',
    title: 'A refresh token that was never given out is refused',
    sent: `${post}: a made-up refresh_token`,
    expected: refused,
    line: 'refresh',
    fix: 'Answer 400 and the Error body, with EXPIRED_ACCESS_TOKEN: the user has to sign on again.',
    run: async (bench, state) => {
      await bench.refused({ kind: 'refresh', refreshToken: state.fresh('refresh') });
    },
  },
  {
    id: 'refresh.access-token',
    title: 'An access token is no refresh token',
    sent: `${post}: the access token as refresh_token`,
    expected: refused,
    line: 'refresh',
    fix: 'Keep the two kinds of token apart: whoever sees an access token must not be able to renew it.',
    run: async (bench, state) => {
      await bench.refused({ kind: 'refresh', refreshToken: (await state.signedOn(bench)).accessToken });
    },
  },
  {
    id: 'refresh.missing',
    title: 'A call without a refresh token is refused',
    sent: `${post}: {}`,
    expected: refused,
    line: 'refresh',
    fix: 'Refuse a body without refresh_token with 400 and the Error body.',
    run: async (bench, state) => {
      await bench.refused({ kind: 'refresh', refreshToken: state.fresh('refresh') }, { before: withBody('{}') });
    },
  },
];
