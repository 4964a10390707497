import { T } from '../../../src/composition/tokens/tokens';
import { createPath, orderOf, publicBase, SignedCalls } from '../../support/signatures/signed-calls';
import { anAccountOf, headersOf } from '../../support/service/signed-in';
import { SigningPartner } from '../../support/signatures/signing-partner';

let calls: SignedCalls;
beforeAll(async () => {
  calls = await SignedCalls.open();
}, 30_000);
afterAll(() => calls.close());

it('names the app whose key signed to the operator, and to no partner', async () => {
  const { service, clock } = calls;
  const [own, foreign] = [SigningPartner.withRsaKey(), SigningPartner.withRsaKey()];
  const [ofOwn, ofForeign] = [await calls.signing(own), await calls.signing(foreign)];
  const payload = orderOf(ofOwn);
  const headers = foreign.headers({ method: 'POST', url: publicBase + createPath, payload, at: clock.now() });
  const question = {
    request: { method: 'POST', target: createPath, headers, body: payload },
    received_at: new Date(clock.now()).toISOString(),
  };
  const explained = await service.manage('POST', 'signatures/explain', question);
  expect(explained.body.causes).toMatchObject([{ code: 'other-app-key', sentence: expect.stringContaining(ofForeign.appId) as string }]);

  const { container } = service.composed;
  const records = { accounts: container.get(T.postgresAccounts), sessions: container.get(T.postgresSessions) };
  const { id } = await anAccountOf(records, { role: 'miniapp', appId: ofOwn.appId });
  const session = await headersOf(records, id, publicBase, clock.now());
  const answer = await service.call('POST', '/manage/v1/signatures/explain', { headers: session, body: question });
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain('other-app-key');
  expect(answer.text).not.toContain(ofForeign.appId);
});
