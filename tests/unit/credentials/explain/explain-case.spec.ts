import { createHash } from 'node:crypto';
import type { CauseCode } from '../../../../src/domain/credentials/explain/cause';
import type { SignatureAlgorithm, SignatureSettings } from '../../../../src/domain/credentials/signing/signature-settings';
import { aSending, baseUrl, body, explained, hmacKey, newKey, pssOf, publicKey, secret, type Sending, type TestKey } from './a-case';

type Change = Partial<Sending> | ((sending: Sending, keys: Keys) => Partial<Sending>);
interface Keys {
  readonly own: TestKey;
  readonly previous: TestKey;
  readonly others: TestKey;
}
type Only = SignatureAlgorithm;

const target = '/api/v1/orders/create-order-payment/?lang=de';
const sorted =
  '{"app_id":"app_abc123","client_id":"host_abc123def456","order":{"amount":"1.10","currency":"EUR","items":[{"a":2.50,"b":1}],"note":"Grüße an Zoë"}}';
const spaced = JSON.stringify(JSON.parse(body)).replaceAll('":', '": ').replaceAll(',"', ', "').replace('2.5}', '2.50}');
const asciiOf = (text: string) => text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const ascii = asciiOf(body);
const upper = body.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
const under = (settings: Partial<SignatureSettings>, change: Partial<Sending>): Partial<Sending> => ({ settings, ...change });
const joinedBy = (separator: string): Partial<Sending> => ({
  text: ({ method, url, clientId, timestamp, payload }) => [method, url, clientId, timestamp, payload].join(separator),
});
const withHeaders = (change: (headers: Record<string, string>) => Record<string, string | undefined>): Partial<Sending> => ({
  headers: (headers) =>
    Object.fromEntries(Object.entries(change(headers)).filter((entry): entry is [string, string] => entry[1] !== undefined)),
});
const kindOf = (algorithm: SignatureAlgorithm) => (algorithm === 'HMAC' ? 'hmac_secret' : 'partner_public_key');
const credentialsOf = ({ algorithm, key }: Sending, { previous }: Keys) => ({
  [kindOf(algorithm)]: { current: key.value, previous: { ...previous.value, validUntil: 1_600_000_000_000 } },
});
const otherApp = ({ algorithm }: Sending, { others }: Keys) => ({
  others: [{ name: 'miniapp app_other', credentials: { [kindOf(algorithm)]: { current: others.value } } }],
});

/** One mistake in each row; where algorithms are named, it can be made with these alone. */
const single: readonly (readonly [CauseCode, Change, Only?])[] = [
  ['url-form', { signed: { url: target } }],
  ['url-form', under({ urlForm: 'path' }, { signed: { url: baseUrl + target } })],
  ['url-query', { signed: { url: `${baseUrl}/api/v1/orders/create-order-payment/` } }],
  ['url-scheme', { signed: { url: `http://platform.example${target}` } }],
  ['url-slash', { signed: { url: `${baseUrl}/api/v1/orders/create-order-payment?lang=de` } }],
  ['url-slash', { target: '/api/v1/connect', signed: { url: `${baseUrl}/api/v1/connect/` } }],
  ['url-host', { signed: { url: `http://localhost:8080${target}` } }],
  ['url-host', { ...withHeaders((headers) => ({ ...headers, Host: '10.1.2.3:9000' })), signed: { url: `http://10.1.2.3:9000${target}` } }],
  ['method-case', { signed: { method: 'post' } }],
  ['method', { signed: { method: 'GET' } }],
  ['body-reserialised', { signed: { payload: JSON.stringify(JSON.parse(body)).replaceAll(':', ': ').replace('2.5}', '2.50}') } }],
  ['body-reserialised', { body: spaced, signed: { payload: JSON.stringify(JSON.parse(body), undefined, 2).replace('2.5', '2.50') } }],
  ['body-sorted', { signed: { payload: sorted } }],
  ['body-empty', { signed: { payload: '' } }],
  ['body-newline', { signed: { payload: `${body}\n` } }],
  ['body-bom', { signed: { payload: `\ufeff${body}` } }],
  ['body-escaped-unicode', { signed: { payload: upper } }],
  ['body-escaped-unicode', { body: ascii.replaceAll('":', '" :'), signed: { payload: body.replaceAll('":', '" :') } }],
  ['body-digest', { signed: { payload: createHash('sha256').update(body).digest('hex') } }],
  ['timestamp-unit', { timestamp: '1700000000123' }],
  ['timestamp-unit', under({ timestampPrecision: 'milliseconds' }, {})],
  ['timestamp-skew', { timestamp: '1699999000' }],
  ['timestamp-skew', { timestamp: '1700004000' }],
  ['timestamp-mismatch', { signed: { timestamp: '1700000003' } }],
  ['timestamp-mismatch', { signed: { timestamp: '1700000000000' } }],
  ['hash', { hash: 'SHA-512' }],
  ['hash', { hash: 'SHA-1' }],
  ['encoding', { encode: (signature) => signature.toString('hex') }],
  ['encoding', under({ encoding: 'hex' }, {})],
  [
    'encoding',
    {
      encode: (signature) =>
        signature
          .toString('hex')
          .replace(/../g, (pair) => `${pair}:`)
          .slice(0, -1),
    },
  ],
  ['encoding', { encode: (signature) => Buffer.from(signature.toString('hex')).toString('base64') }],
  ['secret-base64', { sign: (text) => hmacKey('', Buffer.from(secret, 'base64')).signs(text) }, 'HMAC'],
  [
    'secret-hex',
    () => ({ key: hmacKey('ab12'.repeat(16)), sign: (text) => hmacKey('', Buffer.from('ab12'.repeat(16), 'hex')).signs(text) }),
    'HMAC',
  ],
  ['secret-newline', { sign: (text) => hmacKey(`${secret}\n`).signs(text) }, 'HMAC'],
  ['secret-empty', { sign: (text) => hmacKey('').signs(text) }, 'HMAC'],
  ['previous-key', (sending, keys) => ({ case: { credentials: credentialsOf(sending, keys) }, sign: (text) => keys.previous.signs(text) })],
  ['other-app-key', (sending, keys) => ({ case: otherApp(sending, keys), sign: (text) => keys.others.signs(text) })],
  ['rsa-pss', ({ key }) => ({ sign: (text) => pssOf(key, text) }), 'RSA2'],
  ['ecdsa-raw-unpadded', ({ key }) => ({ sign: (text) => stripped(key, text) }), 'ECDSA'],
  ['double-hash', ({ key }) => ({ sign: (text) => key.signs(Buffer.from(createHash('sha256').update(text).digest('hex'))) })],
  ['double-hash', ({ key }) => ({ sign: (text) => key.signs(createHash('sha256').update(text).digest()) })],
  ['header-name', under({ headerNames: namesWith({ signature: 'X-Partner-Sign' }) }, {})],
  ['header-name', withHeaders(({ 'X-Timestamp': time, ...rest }) => ({ ...rest, 'X-Request-Time': time }))],
  ['header-name', withHeaders(({ 'X-Client-Id': id, ...rest }) => ({ ...rest, 'X-Api-Key': id }))],
  ['missing-header', withHeaders(({ 'X-Timestamp': _, ...rest }) => rest)],
  ['missing-header', withHeaders(({ 'X-Signature': _, ...rest }) => rest)],
  ['basic-instead-of-signature', withHeaders(({ 'X-Signature': _, ...rest }) => ({ ...rest, Authorization: 'Basic YTpi' }))],
  ['client-id', { ...withHeaders((headers) => ({ ...headers, 'X-Client-Id': 'app_abc123' })), signed: { clientId: 'app_abc123' } }],
  ['client-id-signed', { signed: { clientId: 'app_abc123' } }],
  ['missing-placeholder', { text: ({ method, url, timestamp, payload }) => [method, url, timestamp, payload].join('.') }],
  ['template-order', { text: ({ method, url, clientId, timestamp, payload }) => [method, url, timestamp, clientId, payload].join('.') }],
  ['template-separator', joinedBy('|')],
  ['template-separator', joinedBy('\n')],
  ['template-separator', joinedBy('')],
  ['signature-template', { encode: (signature) => `sha256=${signature.toString('base64')}` }],
  ['signature-template', under({ signatureTemplate: 'v1={signature}' }, {})],
  [
    'identity',
    under(
      { identity: 'id-1' },
      withHeaders((headers) => ({ ...headers, 'X-Identity': 'id-7' })),
    ),
  ],
];

const double: readonly (readonly [readonly [CauseCode, CauseCode], Change, Only?])[] = [
  [['url-form', 'method-case'], { signed: { url: target, method: 'post' } }],
  [['body-sorted', 'url-slash'], { signed: { payload: sorted, url: baseUrl + target.replace('/?', '?') } }],
  [
    ['encoding', 'url-query'],
    { encode: (signature) => signature.toString('hex'), signed: { url: `${baseUrl}/api/v1/orders/create-order-payment/` } },
  ],
  [['timestamp-skew', 'url-scheme'], { timestamp: '1699990000', signed: { url: `http://platform.example${target}` } }],
  [['hash', 'template-separator'], { ...joinedBy('\n'), hash: 'SHA-512' }],
  [['secret-newline', 'body-newline'], { signed: { payload: `${body}\n` }, sign: (text) => hmacKey(`${secret}\n`).signs(text) }, 'HMAC'],
  [['url-query', 'url-scheme'], { signed: { url: 'http://platform.example/api/v1/orders/create-order-payment/' } }],
  [['body-sorted', 'body-newline'], { signed: { payload: `${sorted}\n` } }],
  [['header-name', 'url-form'], { ...under({ headerNames: namesWith({ signature: 'X-Partner-Sign' }) }, {}), signed: { url: target } }],
];

const unknown: readonly (readonly [string, Change])[] = [
  [
    'a key of nobody',
    ({ algorithm }) => ({ sign: (text) => (algorithm === 'HMAC' ? hmacKey('nobody knows it') : publicKey(algorithm)).signs(text) }),
  ],
  ['a changed body', { signed: { payload: body.replace('1.10', '9.10') } }],
  ['random bytes', ({ key }) => ({ sign: (text) => Buffer.from(key.signs(text).map((byte) => byte ^ 0x55)) })],
  ['another scheme', { encode: () => createHash('md5').update(`${body}secret`).digest('hex') }],
];

function namesWith(names: Partial<SignatureSettings['headerNames']>): SignatureSettings['headerNames'] {
  return {
    signature: 'X-Signature',
    timestamp: 'X-Timestamp',
    clientId: 'X-Client-Id',
    nonce: 'X-Nonce',
    identity: 'X-Identity',
    merchantId: 'X-Merchant-Id',
    ...names,
  };
}

/** r‖s of a signature with a leading zero, left out. */
function stripped(key: TestKey, text: Buffer): Buffer {
  for (;;) {
    const der = key.signs(text);
    const rLength = der[3]!;
    const r = der.subarray(4, 4 + rLength);
    const s = der.subarray(6 + rLength);
    const bare = [r, s].map((number) => number.subarray(number.findIndex((byte) => byte !== 0)));
    const whole = Buffer.concat(bare);
    if (whole.length < 64) return whole;
  }
}

describe.each(['HMAC', 'RSA2', 'ECDSA'] as const)('a request signed with %s', (algorithm) => {
  const keys: Keys = {
    own: newKey(algorithm),
    previous: algorithm === 'HMAC' ? hmacKey('previous secret of this app') : newKey(algorithm),
    others: algorithm === 'HMAC' ? hmacKey('secret of another app') : newKey(algorithm),
  };
  const sendingOf = (change: Change): Sending => {
    const right = aSending(algorithm, keys.own);
    return { ...right, ...(typeof change === 'function' ? change(right, keys) : change) };
  };
  const isMade = ([, , only]: readonly [unknown, Change, Only?]): boolean => only === undefined || only === algorithm;

  it('fits as it is agreed', async () => {
    expect(await explained(sendingOf({}))).toMatchObject({ verdict: 'fits', causes: [] });
    for (const payload of [body, spaced, ascii]) {
      for (const sent of [body, spaced, ascii]) {
        expect(await explained(sendingOf({ body: sent, signed: { payload } }))).toMatchObject({ verdict: 'fits', causes: [] });
      }
    }
  });

  it.each([
    ['blanks alone', ['body-reserialised'], ascii, ascii.replaceAll('":', '": ')],
    [
      'blanks alone, in an indented body',
      ['body-reserialised'],
      ascii,
      asciiOf(JSON.stringify(JSON.parse(body), undefined, 2).replace('2.5\n', '2.50\n')),
    ],
    ['escapes alone', ['body-escaped-unicode'], spaced, spaced.replace('ü', '\\u00FC').replace('ß', '\\u00DF').replace('ë', '\\u00EB')],
    ['order alone', ['body-sorted'], ascii, asciiOf(sorted)],
    ['order and blanks', ['body-sorted', 'body-reserialised'], spaced, sorted],
  ])('names the cause but nothing that the body shares: %s', async (_what, codes, sent, payload) => {
    const { verdict, causes } = await explained(sendingOf({ body: sent, signed: { payload } }));
    expect([verdict, [...(causes[0]?.codes ?? [])].sort()]).toEqual(['explained', [...codes].sort()]);
  });

  it.each(single.filter(isMade).map(([code, change]) => ({ code, change })))('with the mistake $code', async ({ code, change }) => {
    const { verdict, causes, sentence } = await explained(sendingOf(change));
    expect([verdict, causes[0]?.codes, sentence]).toEqual(['explained', [code], expect.stringMatching(/^[A-Z].*\.$/s)]);
  });

  it.each(double.filter(isMade).map(([codes, change]) => ({ codes, change })))('with the mistakes $codes', async ({ codes, change }) => {
    const { verdict, causes } = await explained(sendingOf(change));
    expect([verdict, [...(causes[0]?.codes ?? [])].sort()]).toEqual(['explained', [...codes].sort()]);
  });

  it.each(unknown.map(([what, change]) => ({ what, change })))('is unknown: $what', async ({ change }) => {
    expect(await explained(sendingOf(change), 150)).toMatchObject({ verdict: 'unknown', causes: [] });
  });
});
