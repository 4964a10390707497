import { T } from '../../../src/composition/tokens/tokens';
import { ManualClock } from '../../support/manual-clock';
import { aPair, type Pair } from '../../support/signatures/a-pair';
import { startTestService, type Reply, type TestService } from '../../support/service/service';
import { signatureVectors, titleOf, type SignatureVector } from '../../support/signatures/signature-vectors';
import { json } from '../../support/partners/stub-behaviours';
import { StubPartner } from '../../support/partners/stub-partner';

// Source: contract/signatures#test-vector.
const secret = 'secret';
const body = '{"app_id":"app_abc123","client_id":"host_abc123def456","order":{"currency":"USD","amount":"1.10"}}';
const signature = 'EITyCYGf5idFW8huUoTLvpFYPjuwpReSQwj4RtKQKuk=';
const path = '/api/v1/orders/create-order-payment/';

describe('the vector of the contract, over HTTP', () => {
  let service: TestService;
  let pair: Pair;

  beforeAll(async () => {
    const clock = new ManualClock(1_700_000_000_000);
    service = await startTestService({
      env: { PUBLIC_BASE_URL: 'https://platform.example' },
      change: (container) => void container.rebind(T.clock).toConstantValue(clock),
    });
    pair = await aPair(service, {
      hostApp: { client_id: 'host_abc123def456', create_order_payment_url: 'http://127.0.0.1:9/create' },
      miniapp: {
        app_id: 'app_abc123',
        signature: { enabled: true, algorithm: 'HMAC', hmac_secret: secret, api_client_id: 'cid_1', acknowledge_weak: true },
      },
    });
  });
  afterAll(() => service.close());

  const send = (headers: Record<string, string> = {}, sent = body) =>
    service.call('POST', path, {
      headers: { 'X-Client-Id': 'cid_1', 'X-Timestamp': '1700000000', 'X-Signature': signature, ...headers },
      body: sent,
    });

  it('is accepted', async () => {
    expect(pair.appId).toBe('app_abc123');
    const reply = await send();
    // Past the checks: the host app, which nobody runs here, is called.
    expect([reply.status, reply.body.error_code]).toEqual([400, 'UNEXPECTED_RESPONSE_ERROR']);
  });

  it('is refused with one character of it changed', async () => {
    expect((await send({ 'X-Signature': signature.replace('E', 'F') })).body.error_code).toBe('INVALID_SIGNATURE');
    expect((await send({}, body.replace('1.10', '1.11'))).body.error_code).toBe('INVALID_SIGNATURE');
    expect((await send({ 'X-Timestamp': '1700000001' })).body.error_code).toBe('INVALID_SIGNATURE');
    expect((await send({ 'X-Client-Id': 'cid_2' })).body.error_code).toBe('INVALID_SIGNATURE');
  });
});

describe('vectors of the OpenSSL command line, over HTTP', () => {
  let service: TestService;
  let hostApp: StubPartner;
  const signing = { enabled: true, algorithm: 'HMAC', hmac_secret: 'set anew for each group of vectors', api_client_id: 'cid_1' };

  beforeAll(async () => {
    const clock = new ManualClock(1_700_000_000_000);
    hostApp = (await new StubPartner().start()).on('/create', json({ order_payment_id: 'op_1' }));
    service = await startTestService({
      env: { PUBLIC_BASE_URL: 'https://platform.example' },
      change: (container) => void container.rebind(T.clock).toConstantValue(clock),
    });
    await aPair(service, {
      hostApp: { client_id: 'host_abc123def456', create_order_payment_url: `${hostApp.url}/create` },
      miniapp: { app_id: 'app_abc123', signature: { ...signing, acknowledge_weak: true } },
    });
  });
  afterAll(async () => {
    await service.close();
    await hostApp.stop();
  });

  // The signed text is the contract's vector; a header carries neither line breaks nor outer blanks, nor nothing. Of valid values
  // in every hash with every key, in every key format and encoding, one each: the providers' contract has them all.
  const sample = signatureVectors('openssl').filter(({ text, signature: sent, hash, encoding, key: { name, form } }) => {
    const isSendable = text.toString().endsWith(body) && text.toString().startsWith('POST.') && /^[!-~](?:[ -~]*[!-~])?$/.test(sent);
    const isPlain = encoding === 'base64' && ['pem', 'secret'].includes(form) && ['plain', 'rsa-2048', 'ec-P-256'].includes(name);
    return isSendable && (isPlain || (hash === 'SHA-256' && (encoding === 'base64' || name === 'ec-P-256' || name === 'plain')));
  });
  const groups = new Map<string, SignatureVector[]>();
  for (const vector of sample) {
    const { algorithm, hash, encoding, key } = vector;
    const name = [algorithm, hash, encoding, key.name, key.form].join(' ');
    groups.set(name, [...(groups.get(name) ?? []), vector]);
  }

  const set = async ({ algorithm, hash, encoding, key }: SignatureVector): Promise<number> => {
    const credential = algorithm === 'HMAC' ? 'hmac_secret' : 'partner_public_key';
    const signature = { algorithm, hash, encoding, [credential]: key.value };
    return (await service.manage('PATCH', 'miniapps/app_abc123', { signature })).status;
  };
  const verdictOf = ({ status, body: { error_code: code } }: Reply): string => {
    if (status === 200) return 'accepted';
    return { INVALID_SIGNATURE: 'refused', SIGNATURE_VALIDATION_ERROR: 'unreadable' }[String(code)] ?? `${String(status)} ${String(code)}`;
  };

  it('get the verdict of OpenSSL and the standards from the service', async () => {
    const disagreements: string[] = [];
    for (const vectors of groups.values()) {
      expect(await set(vectors[0]!)).toBe(200);
      for (const vector of vectors) {
        const headers = { 'X-Client-Id': 'cid_1', 'X-Timestamp': '1700000000', 'X-Signature': vector.signature };
        const verdict = verdictOf(await service.call('POST', path, { headers, body }));
        if (verdict !== vector.verdict) disagreements.push(`${titleOf(vector)}: ${verdict}, not ${vector.verdict}`);
      }
    }
    expect(disagreements).toEqual([]);
    expect(sample.length).toBeGreaterThan(250);
    expect(new Set(sample.map((vector) => vector.case)).size).toBeGreaterThan(80);
  }, 60_000);
});
