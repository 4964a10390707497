import { aCase, aSending, explained, hmacKey, secret, workTools } from './a-case';
import { explainCase } from '../../../../src/domain/credentials/explain/explain-case';

/** People put secrets where they do not belong; what explains that must not spread them. */
describe('a secret in the request itself', () => {
  const shown = async (change: Parameters<typeof aCase>[0]): Promise<string> => JSON.stringify(await explained(change));

  it.each([
    ['the body', { body: `{"app_id":"app_abc123","secret":"${secret}"}`, signed: { payload: '' } }],
    [
      'the client id',
      { signed: { clientId: secret }, headers: (headers: Record<string, string>) => ({ ...headers, 'X-Client-Id': secret }) },
    ],
    ['the signed client id', { signed: { clientId: secret } }],
    ['the query', { target: `/api/v1/connect/?secret=${secret}`, signed: { url: '/nowhere' } }],
  ])('is not told where it stands in %s', async (_where, change) => {
    expect(await shown({ ...aSending('HMAC'), ...change })).not.toContain(secret);
  });

  it('is not told where it is the key of Basic', async () => {
    const basic = Buffer.from('app_1:CANARY-secret-key').toString('base64');
    const sending = {
      ...aSending('HMAC'),
      signed: { clientId: `Basic ${basic}` },
      headers: (headers: Record<string, string>) => ({ ...headers, Authorization: `Basic ${basic}` }),
    };
    expect(await shown(sending)).not.toContain(basic);
  });

  it('keeps the offset where the texts part', async () => {
    const body = `{"app_id":"app_abc123","secret":"${secret}"}`;
    const { difference, signedString } = await explainCase(
      aCase({ ...aSending('HMAC', hmacKey(secret)), body, signed: { payload: `${body}\n` } }),
      workTools,
    );
    expect(signedString).toContain('"secret":"****');
    expect(difference?.at).toBe(
      Buffer.byteLength(`POST.https://platform.example/api/v1/orders/create-order-payment/?lang=de.cid_1.1700000000.${body}`),
    );
  });
});
