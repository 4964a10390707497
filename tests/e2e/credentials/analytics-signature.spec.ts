import type { Pair } from '../../support/signatures/a-pair';
import { basicOf } from '../../support/signatures/a-pair';
import { until } from '../../support/service/service';
import { accepted, publicBase, SignedCalls, signingSecret, verdictOf } from '../../support/signatures/signed-calls';
import { SigningPartner } from '../../support/signatures/signing-partner';

let calls: SignedCalls;
beforeAll(async () => {
  calls = await SignedCalls.open();
});
afterAll(() => calls.close());

const path = '/api/v1/analytics/miniapp-transactions/';
const partner = SigningPartner.withSecret(signingSecret);
let serial = 0;
const recordOf = () => JSON.stringify({ transaction_id: `tx-${String(++serial)}`, amount: '1.10', currency: 'USD' });
const idsOf = ({ clientId, appId, miniSecret }: Pair) => ({
  ...basicOf(appId, miniSecret),
  'X-Hostapp-Client-Id': clientId,
  'X-Miniapp-App-Id': appId,
});
const report = (pair: Pair, { signed, headers = {} }: { signed?: string; headers?: Record<string, string> } = {}) => {
  const body = recordOf();
  const at = calls.clock.now();
  const signature = signed === undefined ? {} : partner.headers({ method: 'POST', url: publicBase + path, payload: signed || body, at });
  return calls.service.call('POST', path, { headers: { ...idsOf(pair), ...signature, ...headers }, body });
};
const signing = (analytics_signature?: string) =>
  calls.pair({ miniapp: { signature: partner.settings, ...(analytics_signature !== undefined && { analytics_signature }) } });

describe('analytics of a miniapp that signs (C7)', () => {
  it('must be signed by default', async () => {
    const pair = await signing();
    expect(verdictOf(await report(pair))).toEqual([401, 'MISSING_HEADER', 'X-Signature', 'miniapp']);
    expect(verdictOf(await report(pair, { signed: '' }))).toEqual(accepted);
  });

  it('need only Basic with when_sent, but a signature that is sent must be valid', async () => {
    const pair = await signing('when_sent');
    expect(verdictOf(await report(pair))).toEqual(accepted);
    expect(verdictOf(await report(pair, { signed: '' }))).toEqual(accepted);
    expect(verdictOf(await report(pair, { signed: 'another text' }))).toEqual([401, 'INVALID_SIGNATURE', 'signature', 'miniapp']);
    expect((await report(pair, { headers: { 'X-Signature': 'x' } })).status).toBe(401);
    expect(verdictOf(await report(pair, { headers: basicOf(pair.appId, 'wrong') }))).toEqual([
      401,
      'ACCESS_DENIED',
      'wrong-credentials',
      'miniapp',
    ]);
    expect(verdictOf(await calls.create(pair, partner, { headers: { 'X-Signature': undefined } }))).toEqual([
      401,
      'MISSING_HEADER',
      'X-Signature',
      'miniapp',
    ]);
  });

  it('do not count in a dry run if they are not signed', async () => {
    const pair = await signing('when_sent');
    const dryRun = `miniapps/${pair.appId}/signature-dry-run`;
    const { enabled: _on, ...terms } = partner.settings;
    const tried = { ...terms, hash: 'SHA-512' };
    expect((await calls.service.manage('PUT', dryRun, { mode: 'observe', signature: tried })).status).toBe(200);
    expect(verdictOf(await report(pair))).toEqual(accepted);
    expect(verdictOf(await report(pair, { signed: '' }))).toEqual(accepted);
    await until(
      async () => (await calls.service.manage('GET', dryRun)).body.report.counts,
      ({ refused }: { refused: number }) => refused === 1,
    );
    expect((await calls.service.manage('GET', dryRun)).body.report.counts).toMatchObject({ passed: 0, refused: 1 });
  });

  it('warn when signing is turned on while they came by Basic alone', async () => {
    const pair = await calls.pair();
    const turnOn = (more: object = {}) => calls.service.manage('PATCH', `miniapps/${pair.appId}`, { signature: partner.settings, ...more });
    const causes = ({ body }: { body: { warnings: { cause: string }[] } }) => body.warnings.map(({ cause }) => cause);
    expect(causes(await turnOn())).not.toContain('analytics-by-basic');
    await calls.service.manage('PATCH', `miniapps/${pair.appId}`, { signature: { enabled: false } });
    expect(verdictOf(await report(pair))).toEqual(accepted);
    await until(turnOn, (answer) => causes(answer).includes('analytics-by-basic'));
    expect(causes(await turnOn({ analytics_signature: 'when_sent' }))).not.toContain('analytics-by-basic');
    calls.clock.advance(31 * 86_400_000);
    expect(causes(await turnOn({ analytics_signature: 'required' }))).not.toContain('analytics-by-basic');
  });

  it.each(['Required', true, 1, ''])('refuse %j as analytics_signature', async (analytics_signature) => {
    const { appId } = await calls.pair();
    const answer = await calls.service.manage('PATCH', `miniapps/${appId}`, { analytics_signature });
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'analytics_signature']);
  });
});
