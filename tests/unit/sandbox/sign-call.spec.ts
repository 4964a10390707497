import { signatureHeaders } from '../../../src/sandbox/signing/sign-call';

const agreed = { algorithm: 'HMAC', key: 'secret', apiClientId: 'cid_1' } as const;
const body = '{"app_id":"app_abc123","client_id":"host_abc123def456","order":{"currency":"USD","amount":"1.10"}}';
const url = 'https://platform.example/api/v1/orders/create-order-payment/';

describe('the signature of a call that a sandbox partner makes', () => {
  it('is the one of the published example', () => {
    expect(signatureHeaders(agreed, { method: 'POST', url, body, at: 1_700_000_000_999 })).toEqual({
      'X-Client-Id': 'cid_1',
      'X-Timestamp': '1700000000',
      'X-Signature': 'EITyCYGf5idFW8huUoTLvpFYPjuwpReSQwj4RtKQKuk=',
    });
  });

  it('covers method, address, time and body', () => {
    const call = { method: 'POST', url, body, at: 1_700_000_000_000 };
    const calls = [
      call,
      { ...call, method: 'PUT' },
      { ...call, url: `${url}?a` },
      { ...call, body: `${body} ` },
      { ...call, at: call.at + 1000 },
    ];
    const signatures = calls.map((one) => signatureHeaders(agreed, one)['X-Signature']);
    expect(new Set(signatures).size).toBe(calls.length);
  });
});
