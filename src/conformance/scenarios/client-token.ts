import type { Bench } from '../bench';
import { withHeader, withoutHeader, type Change } from '../changes';
import { jsonOf, requireHarmless, shortOf } from '../outcome-checks';
import type { Outcome } from '../ports';
import type { Scenario } from '../scenario';
import { DoesNotApply, Unmet } from '../verdict';

const post = 'POST to the Client access token URL';
const refused = '4xx, in the form of RFC 6749 §5.2';

/** Requests a client token like the service. Throws DoesNotApply where none is set up. */
async function requestToken(
  bench: Bench,
  change: Change = (draft) => draft,
  form: Readonly<Record<string, string>> = { grant_type: 'client_credentials' },
) {
  const { clientToken } = bench.context;
  if (!clientToken) throw new DoesNotApply('no client_access_token_url is set up');
  const headers = { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded', Authorization: clientToken.basic };
  const body = new TextEncoder().encode(new URLSearchParams(form).toString());
  return bench.put(change({ method: 'POST', url: clientToken.url, headers, body }), bench.context.deadlineMs('exchange'));
}

function requireToken(outcome: Outcome): void {
  requireHarmless(outcome);
  const token = jsonOf(outcome)?.get('access_token');
  if (outcome.status !== 200 || typeof token !== 'string' || token === '') throw new Unmet(`answered ${shortOf(outcome)}: no access_token`);
}

function requireNoToken(outcome: Outcome): void {
  requireHarmless(outcome);
  if (outcome.status < 400) throw new Unmet(`answered ${shortOf(outcome)}: the call was taken`);
}

/** Scenarios for a host app's Client access token URL. */
export const clientToken: readonly Scenario[] = [
  {
    id: 'client-token.given',
    title: 'The service is given a token',
    sent: `${post}: the form grant_type=client_credentials with Basic`,
    expected: '200 with access_token, token_type and expires_in',
    line: 'clientToken',
    fix: 'Answer as RFC 6749 §5.1 says.',
    run: async (bench) => requireToken(await requestToken(bench)),
  },
  {
    id: 'client-token.wrong-secret',
    title: 'A wrong secret gets no token',
    sent: `${post} with another secret`,
    expected: refused,
    line: 'clientToken',
    fix: 'Answer 401 invalid_client.',
    run: async (bench) =>
      requireNoToken(await requestToken(bench, withHeader('Authorization', `Basic ${Buffer.from('somebody:else').toString('base64')}`))),
  },
  {
    id: 'client-token.no-credentials',
    title: 'No credentials, no token',
    sent: `${post} without Authorization`,
    expected: refused,
    line: 'clientToken',
    fix: 'Answer 401 invalid_client.',
    run: async (bench) => requireNoToken(await requestToken(bench, withoutHeader('Authorization'))),
  },
  {
    id: 'client-token.other-grant',
    title: 'Another grant gets no token',
    sent: `${post}: grant_type=password`,
    expected: refused,
    line: 'clientToken',
    fix: 'Answer 400 unsupported_grant_type.',
    run: async (bench) => requireNoToken(await requestToken(bench, undefined, { grant_type: 'password' })),
  },
  {
    id: 'client-token.made-up',
    title: 'A made-up token is answered 401',
    sent: 'a good call with a token that was never given out',
    expected: '401',
    line: 'clientTokenRefused',
    fix: 'Answer 401 to a client access token that you do not take: a new one is then fetched, and the call repeated.',
    run: async (bench, state) => {
      if (!bench.context.clientToken) throw new DoesNotApply('no client_access_token_url is set up');
      const outcome = await bench.send(await state.good('exchange', bench), { after: withHeader('Authorization', 'Bearer made-up') });
      requireHarmless(outcome);
      if (outcome.status !== 401) throw new Unmet(`answered ${shortOf(outcome)}: only a 401 has a new token fetched`);
    },
  },
];
