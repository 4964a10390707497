import type { InboundRequest } from '../../../src/domain/credentials/check';
import type { CredentialValue } from '../../../src/domain/credentials/credential';
import { UnusableKey, type CredentialRef, type SigningMaterial, type UsedNonce } from '../../../src/domain/credentials/ports';
import { checkSignature, type SignatureTools } from '../../../src/domain/credentials/signing/signature-check';
import { defaultSignatureSettings, type SignatureSettings } from '../../../src/domain/credentials/signing/signature-settings';
import { refusal } from '../../../src/domain/shared/errors';
import { Secret } from '../../../src/domain/shared/secret';
import { aMiniapp } from '../../support/partners/partners';
import { signatureTools } from '../../support/signatures/signing';
import { SigningPartner, timestampOf, type AgreedSettings } from '../../support/signatures/signing-partner';

const now = 1_800_000_000_000;
const target = '/api/v1/events/miniapp/';
const url = `https://platform.example${target}`;
const valueOf = (text: string): CredentialValue => ({ secret: new Secret(text), fingerprint: text, createdAt: 0 });
const secrets = {
  current: valueOf('current secret'),
  previous: { ...valueOf('previous secret'), validUntil: now + 1000 },
  next: valueOf('next secret'),
};
const partnerWith = (change: Partial<SignatureSettings> = {}) =>
  aMiniapp(
    { signature: { ...defaultSignatureSettings, enabled: true, algorithm: 'HMAC', apiClientId: 'cid_1', ...change } },
    { hmac_secret: secrets },
  );
const signer = (agreed: AgreedSettings = {}, secret = 'current secret') => SigningPartner.withSecret(secret, agreed);
const utf8 = (text: string) => new TextEncoder().encode(text);

interface Sent {
  readonly by?: SigningPartner;
  readonly at?: number;
  readonly signed?: string;
  readonly body?: string;
  readonly nonce?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function requestOf({ by = signer(), at = now, signed = '{"a":1}', body = signed, nonce, headers = {} }: Sent = {}): InboundRequest {
  const all = { ...by.headers({ method: 'POST', url, payload: signed, at, ...(nonce !== undefined && { nonce }) }), ...headers };
  return { method: 'POST', target, rawHeaders: Object.entries(all).flat(), body: utf8(body), remoteAddress: '203.0.113.7' };
}

const check = (request: InboundRequest, change: Partial<SignatureSettings> = {}, tools: Partial<SignatureTools> = {}, at = now) => {
  const partner = partnerWith(change);
  const rule = { partner, merchantId: undefined, headerNames: partner.settings.signature.headerNames };
  return checkSignature(rule, { ...signatureTools, ...tools })(request, at);
};
const verdict = (checked: Promise<void>): Promise<string> =>
  checked.then(
    () => 'accepted',
    (error: unknown) => {
      const { code, details } = error as { code: string; details: { cause?: string } };
      return [code, details.cause].join(' ');
    },
  );

describe('clocks that differ', () => {
  const precisions = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds'] as const;
  const minute = 60_000;
  const offsets = Array.from({ length: 21 }, (_, i) => (i - 10) * minute);
  const nearEdges = [-301_000, -300_999, -300_001, -300_000, -299_999, 299_999, 300_000, 300_001, 300_999, 301_000];

  it.each(precisions)('in %s: are accepted up to 300 s apart, give or take a second', async (timestampPrecision) => {
    const by = signer({ timestamp_precision: timestampPrecision });
    const wrong: string[] = [];
    let checks = 0;
    for (const ours of offsets) {
      for (const theirs of [...offsets, ...nearEdges.map((edge) => ours + edge)]) {
        const apart = Math.abs(theirs - ours);
        const result = await verdict(check(requestOf({ by, at: now + theirs }), { timestampPrecision }, {}, now + ours));
        checks++;
        const expected = apart <= 300_000 ? 'accepted' : 'INVALID_SIGNATURE timestamp';
        // Within a second of the edge a coarser precision may round to the other side.
        if (result !== expected && Math.abs(apart - 300_000) > 1000) wrong.push(`${String(theirs - ours)} ms: ${result}`);
        if (timestampPrecision !== 'seconds' && result !== expected)
          wrong.push(`${String(theirs - ours)} ms, finer than seconds: ${result}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(checks).toBe(21 * 31);
  });
});

describe('the record of a use', () => {
  function noting(answers: { isNew?: boolean; isAway?: boolean } = {}) {
    const nonces: (UsedNonce & { now: number; until: number })[] = [];
    const uses: CredentialRef[] = [];
    const tools: Partial<SignatureTools> = {
      uses: { used: (credential) => void uses.push(credential) },
      nonces: {
        use: async (nonce, at, until) => {
          nonces.push({ ...nonce, now: at, until });
          if (answers.isAway) throw refusal('unavailable', 'SERVICE_UNAVAILABLE');
          return answers.isNew ?? true;
        },
      },
    };
    return { nonces, uses, tools };
  }
  const payloadTemplate = '{request_method}.{url}.{timestamp}.{nonce}.{payload}';
  const by = signer({ payload_template: payloadTemplate });
  const settings = { payloadTemplate, nonceLength: 32 };
  const nonce = 'ABCDEFGHIJKLMNOP';

  it('is the nonce and the secret of a valid request', async () => {
    const { nonces, uses, tools } = noting();
    expect(await verdict(check(requestOf({ by, nonce }), settings, tools))).toBe('accepted');
    expect(nonces).toEqual([{ partner: 'miniapp:app_abc123', nonce, now, until: now + 600_000 }]);
    expect(uses).toEqual([{ partner: 'miniapp', id: 'app_abc123', kind: 'hmac_secret', value: secrets.current, address: '203.0.113.7' }]);
  });

  it.each<[string, Sent, string]>([
    ['over another body', { body: '{"a":2}' }, 'INVALID_SIGNATURE signature'],
    ['with an old time', { at: now - 300_001_000 }, 'INVALID_SIGNATURE timestamp'],
    ['with a signature that cannot be read', { headers: { 'X-Signature': '*' } }, 'SIGNATURE_VALIDATION_ERROR encoding'],
    ['with a short nonce', { nonce: 'ABC' }, 'INVALID_SIGNATURE X-Nonce'],
  ])('is nothing of a request %s', async (_what, sent, expected) => {
    const { nonces, uses, tools } = noting();
    expect(await verdict(check(requestOf({ by, nonce, ...sent }), settings, tools))).toBe(expected);
    expect([nonces, uses]).toEqual([[], []]);
  });

  it('is nothing if the nonce was used before or the store is away', async () => {
    const used = noting({ isNew: false });
    expect(await verdict(check(requestOf({ by, nonce }), settings, used.tools))).toBe('INVALID_SIGNATURE nonce-used');
    expect(used.uses).toEqual([]);
    const away = noting({ isAway: true });
    expect(await verdict(check(requestOf({ by, nonce }), settings, away.tools))).toBe('SERVICE_UNAVAILABLE ');
    expect(away.uses).toEqual([]);
  });

  it('is no nonce where none is on, even if one is sent', async () => {
    const { nonces, tools } = noting();
    expect(await verdict(check(requestOf({ headers: { 'X-Nonce': nonce } }), {}, tools))).toBe('accepted');
    expect(nonces).toEqual([]);
  });

  it.each([
    ['current', now],
    ['next', now],
    ['previous', now + 999],
  ] as const)('is the %s secret where that one signed', async (slot, at) => {
    const { uses, tools } = noting();
    expect(await verdict(check(requestOf({ by: signer({}, `${slot} secret`), at }), {}, tools, at))).toBe('accepted');
    expect(uses.map(({ value }) => value)).toEqual([secrets[slot]]);
  });

  it('is nothing of a secret whose time is over', async () => {
    const { tools } = noting();
    const at = now + 1000;
    expect(await verdict(check(requestOf({ by: signer({}, 'previous secret'), at }), {}, tools, at))).toBe('INVALID_SIGNATURE signature');
  });
});

describe('the text that is verified', () => {
  function watching(answer: (material: SigningMaterial) => boolean) {
    const texts: string[] = [];
    const verify = async (material: SigningMaterial): Promise<boolean> => {
      texts.push(`${material.key.fingerprint}: ${new TextDecoder().decode(material.text)}`);
      return answer(material);
    };
    const provider = { verify, sign: () => Promise.reject(new Error('Nothing is signed here')) };
    return { texts, tools: { providers: { HMAC: provider, RSA2: provider, ECDSA: provider } } };
  }
  const payloadTemplate = '{payload}';

  it('is the body as received first, with each accepted secret, and then as it is printed again', async () => {
    const { texts, tools } = watching(() => false);
    await verdict(check(requestOf({ body: ' { "a" : 1 }' }), { payloadTemplate, payloadSpaces: true }, tools));
    const secretsInTurn = ['current secret', 'next secret', 'previous secret'];
    expect(texts).toEqual([' { "a" : 1 }', '{"a": 1}', '{"a":1}'].flatMap((body) => secretsInTurn.map((secret) => `${secret}: ${body}`)));
  });

  it('is nothing more once a secret fits', async () => {
    const { texts, tools } = watching(({ key }) => key === secrets.next);
    expect(await verdict(check(requestOf({ body: ' {}' }), { payloadTemplate }, tools))).toBe('accepted');
    expect(texts).toEqual(['current secret:  {}', 'next secret:  {}']);
  });

  it.each([
    ['a body that prints in one way', '1', {}],
    ['no body', '', {}],
    ['a body that is not signed', ' {}', { payloadTemplate: '{url}' }],
    ['a body that is no JSON', '{"a":1,"a":2}', {}],
  ])('is %s once for each secret', async (_what, body, change) => {
    const { texts, tools } = watching(() => false);
    await verdict(check(requestOf({ body }), { payloadTemplate, ...change }, tools));
    expect(texts).toHaveLength(3);
  });

  const answering = (verify: (material: SigningMaterial) => Promise<boolean>) => {
    const provider = { verify, sign: () => Promise.reject(new Error('Nothing is signed here')) };
    return { providers: { HMAC: provider, RSA2: provider, ECDSA: provider } };
  };

  it('fails with SIGNATURE_VALIDATION_ERROR if the current key is unusable', async () => {
    const unusable = answering(() => Promise.reject(new UnusableKey()));
    expect(await verdict(check(requestOf(), {}, unusable))).toBe('SIGNATURE_VALIDATION_ERROR key');
    const faulty = answering(() => Promise.reject(new TypeError('a fault of ours')));
    await expect(check(requestOf(), {}, faulty)).rejects.toThrow('a fault of ours');
  });

  it('is not hindered by an earlier key that cannot be used any more', async () => {
    const tools = answering(({ key }) => (key === secrets.current ? Promise.resolve(false) : Promise.reject(new UnusableKey())));
    expect(await verdict(check(requestOf(), {}, tools))).toBe('INVALID_SIGNATURE signature');
  });
});

describe('the text around a signature', () => {
  const signatureTemplate = 'v1,{signature};';
  const by = signer({ signature_template: signatureTemplate });
  const right = new Map(Object.entries(by.headers({ method: 'POST', url, payload: '{"a":1}', at: now }))).get('X-Signature') ?? '';

  it.each([
    ['is as agreed', right, 'accepted'],
    ['is another before it', right.replace('v1', 'v2'), 'SIGNATURE_VALIDATION_ERROR signature_template'],
    ['is another behind it', right.replace(';', ','), 'SIGNATURE_VALIDATION_ERROR signature_template'],
    ['is not there', right.slice(3, -1), 'SIGNATURE_VALIDATION_ERROR signature_template'],
    ['is all there is', 'v1,;', 'SIGNATURE_VALIDATION_ERROR encoding'],
    ['is longer than the header', 'v1,', 'SIGNATURE_VALIDATION_ERROR signature_template'],
    ['overlaps itself', ';', 'SIGNATURE_VALIDATION_ERROR signature_template'],
    ['is there twice', `v1,${right};`, 'SIGNATURE_VALIDATION_ERROR encoding'],
  ])('%s', async (_what, header, expected) => {
    expect(await verdict(check(requestOf({ by, headers: { 'X-Signature': header } }), { signatureTemplate }))).toBe(expected);
  });
});

it('takes no word of a request for how it is checked', async () => {
  const headers = { 'X-Algorithm': 'none', 'X-Signature-Algorithm': 'RSA2', 'X-Timestamp-Precision': 'milliseconds', Digest: 'x' };
  expect(await verdict(check(requestOf({ headers })))).toBe('accepted');
  expect(
    await verdict(check(requestOf({ headers: { ...headers, 'X-Timestamp': timestampOf(now, { timestamp_precision: 'milliseconds' }) } }))),
  ).toBe('INVALID_SIGNATURE timestamp-precision');
});

it('stops trying forms of a long body when wrong signatures elsewhere have spent the limit', async () => {
  const { HMAC } = signatureTools.providers;
  const wrong = requestOf({ signed: 'x', body: `{"a":"${'é'.repeat(10_000)}"}` });
  const triesUntil = async (spentAfter: number): Promise<number> => {
    let tries = 0;
    const verify: typeof HMAC.verify = (...given) => ((tries += 1), HMAC.verify(...given));
    const failures = { isSpent: () => tries >= spentAfter, failed: async () => undefined };
    const providers = { ...signatureTools.providers, HMAC: { verify, sign: HMAC.sign.bind(HMAC) } };
    await verdict(check(wrong, {}, { failures, providers, longWork: () => () => Promise.resolve() }));
    return tries;
  };
  // Each text is tried with three keys: the raw bytes, then three other forms.
  expect([await triesUntil(Infinity), await triesUntil(4), await triesUntil(1)]).toEqual([12, 6, 3]);
});
