import { type Pair } from '../../support/signatures/a-pair';
import {
  accepted,
  createPath,
  lacks,
  orderOf,
  publicBase,
  refused,
  SignedCalls,
  signingSecret,
  unreadable,
  verdictOf,
  type Change,
} from '../../support/signatures/signed-calls';
import { SigningPartner, textToSign, timestampOf, type AgreedSettings } from '../../support/signatures/signing-partner';

let calls: SignedCalls;
beforeAll(async () => {
  calls = await SignedCalls.open();
});
afterAll(() => calls.close());

const partners = {
  HMAC: SigningPartner.withSecret(signingSecret),
  RSA2: SigningPartner.withRsaKey(),
  ECDSA: SigningPartner.withEcKey('P-256'),
};

describe.each(Object.entries(partners))('a call signed with %s', (algorithm, signer) => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await calls.signing(signer);
  });

  it('is accepted, and nothing that differs from it', async () => {
    expect(verdictOf(await calls.create(pair, signer))).toEqual(accepted);
    const good = orderOf(pair);
    expect(verdictOf(await calls.create(pair, signer, { signed: good, sent: good.replace('1.10', '1.11') }))).toEqual(refused('signature'));
    expect(verdictOf(await calls.create(pair, signer, { method: 'PUT' }))).toEqual(refused('signature'));
    expect(verdictOf(await calls.create(pair, signer, { method: 'post' }))).toEqual(refused('signature'));
    expect(verdictOf(await calls.create(pair, signer, { url: `${publicBase}/api/v1/orders/get-payment-status/` }))).toEqual(
      refused('signature'),
    );
    expect(verdictOf(await calls.create(pair, signer, { url: `http://platform.example${createPath}` }))).toEqual(refused('signature'));
    expect(verdictOf(await calls.create(pair, signer, { headers: { 'X-Timestamp': timestampOf(calls.clock.now() + 1000) } }))).toEqual(
      refused('signature'),
    );
    expect(verdictOf(await calls.create(pair, signer, { headers: { 'X-Client-Id': 'cid_2' } }))).toEqual(refused('X-Client-Id'));
  });

  it('is refused by another key, and by no signature at all', async () => {
    const stranger = {
      HMAC: SigningPartner.withSecret(`${signingSecret}!`),
      RSA2: SigningPartner.withRsaKey(),
      ECDSA: SigningPartner.withEcKey('P-256'),
    };
    expect(verdictOf(await calls.create(pair, stranger[algorithm as keyof typeof stranger]))).toEqual(refused('signature'));
    for (const text of ['AAAA', Buffer.alloc(256).toString('base64'), Buffer.alloc(64).toString('base64')]) {
      expect(verdictOf(await calls.create(pair, signer, { headers: { 'X-Signature': text } }))).toEqual(refused('signature'));
    }
    expect(verdictOf(await calls.create(pair, signer, { headers: { 'X-Signature': '' } }))).toEqual(lacks('X-Signature'));
    expect(verdictOf(await calls.create(pair, signer, { headers: { 'X-Signature': '***' } }))).toEqual(unreadable('encoding'));
  });

  it('is never checked by another algorithm than the one that is stored', async () => {
    const pem = signer.handedOver['partner_public_key'] ?? signingSecret;
    for (const [name, other] of Object.entries(partners)) {
      if (name !== algorithm) expect(verdictOf(await calls.create(pair, other))).toEqual(refused('signature'));
    }
    for (const text of [pem, pem.trim(), pem.replace(/-----[^-]+-----|\s/g, '')]) {
      if (algorithm !== 'HMAC') expect(verdictOf(await calls.create(pair, SigningPartner.withSecret(text)))).toEqual(refused('signature'));
    }
    const reply = await calls.create(pair, SigningPartner.withSecret('x'.repeat(40)), {
      headers: { 'X-Algorithm': 'HMAC', 'X-Signature-Algorithm': 'none' },
    });
    expect(verdictOf(reply)).toEqual(refused('signature'));
  });

  it('is asked for a signature with 401, but not shown the right one', async () => {
    const reply = await calls.create(pair, signer, { headers: { 'X-Signature': Buffer.alloc(32).toString('base64') } });
    expect(reply.headers.get('www-authenticate')).toBe('Signature realm="pierhead"');
    const right = signer.signature(
      textToSign(signer.agreed, {
        method: 'POST',
        url: publicBase + createPath,
        timestamp: timestampOf(calls.clock.now()),
        payload: orderOf(pair),
      }),
    );
    expect(reply.text).not.toContain(right);
  });
});

it('takes both forms of an ECDSA signature, on each curve', async () => {
  for (const curve of ['P-256', 'P-384', 'P-521', 'secp256k1']) {
    const signer = SigningPartner.withEcKey(curve);
    const pair = await calls.signing(signer);
    const text = textToSign(signer.agreed, {
      method: 'POST',
      url: publicBase + createPath,
      timestamp: timestampOf(calls.clock.now()),
      payload: orderOf(pair),
    });
    for (const form of ['der', 'ieee-p1363'] as const) {
      expect([
        curve,
        form,
        verdictOf(await calls.create(pair, signer, { headers: { 'X-Signature': signer.signature(text, form) } })),
      ]).toEqual([curve, form, accepted]);
    }
  }
});

const names = { signature: 'X-Sig', timestamp: 'X-Ts', client_id: 'X-Cid', nonce: 'X-N', identity: 'X-Who', merchant_id: 'X-Shop' };
const everything = '{request_method}\n{url}\n{client_id}\n{timestamp}\n{nonce}\n{identity}\n{merchant_id}\n{payload}';

it.each<[string, AgreedSettings & Record<string, unknown>, Change?]>([
  ['hash SHA-224', { hash: 'SHA-224' }],
  ['hash SHA-384', { hash: 'SHA-384' }],
  ['hash SHA-512', { hash: 'SHA-512' }],
  ['hash SHA-1', { hash: 'SHA-1', acknowledge_weak: true }],
  ['hash MD5', { hash: 'MD5', acknowledge_weak: true }],
  ['encoding base64url', { encoding: 'base64url' }],
  ['encoding hex', { encoding: 'hex' }],
  ['milliseconds', { timestamp_precision: 'milliseconds' }],
  ['microseconds', { timestamp_precision: 'microseconds' }],
  ['nanoseconds', { timestamp_precision: 'nanoseconds' }],
  ['other header names', { header_names: names }],
  ['the signature in Authorization', { header_names: { signature: 'Authorization' } }],
  ['text around the signature', { signature_template: 'v1,t={signature};end' }],
  ['text around it in Authorization', { header_names: { signature: 'Authorization' }, signature_template: 'Sig {signature}' }],
  ['the path alone', { url_form: 'path' }, { url: createPath }],
  ['a template of lines', { payload_template: '{request_method}\n{url}\n{timestamp}\n{payload}' }],
  ['a template with the payload first', { payload_template: '{payload}|{timestamp}|{request_method}|{url}' }],
  ['a template without the URL', { payload_template: '{request_method}.{timestamp}.{payload}', acknowledge_weak: true }],
  ['a template without a timestamp', { payload_template: '{request_method}.{url}.{payload}', acknowledge_weak: true }],
  [
    'a template with everything',
    { payload_template: everything, identity: 'who we are', nonce_length: 36, header_names: names },
    { merchant_id: 'shop 7' },
  ],
  ['text that is not ASCII', { payload_template: 'é\u2028{request_method}😀{url}ß{timestamp}ß{payload}' }],
])('accepts agreed settings, and refuses them for a partner with the defaults: %s', async (_what, agreed, change = {}) => {
  const { url_form, acknowledge_weak, ...known } = agreed;
  const signer = partners.HMAC.agreeing(known);
  const pair = await calls.signing(signer, { url_form, acknowledge_weak }, { merchant_id: 'shop 7' });
  expect(verdictOf(await calls.create(pair, signer, change))).toEqual(accepted);
  const reply = await calls.create(pair, partners.HMAC, { merchant_id: 'shop 7', at: whenBase64ShowsItself(pair) });
  expect([reply.status, /^(?:MISSING_HEADER|INVALID_SIGNATURE|SIGNATURE_VALIDATION_ERROR)$/.test(reply.body.error_code)]).toEqual([
    401,
    true,
  ]);
});

/** One signature in four has neither + nor /, and reads as base64url with padding too, which is taken. */
function whenBase64ShowsItself(pair: Pair): number {
  const call = { method: 'POST', url: publicBase + createPath, payload: orderOf(pair) };
  let at = calls.clock.now();
  while (!/[+/]/.test(partners.HMAC.headers({ ...call, at })['X-Signature'] ?? '+')) at += 1000;
  return at;
}

describe('the timestamp', () => {
  const precisions = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds'] as const;

  it.each(precisions)('in %s is accepted up to five minutes before and after the clock, and no further', async (timestamp_precision) => {
    const signer = partners.HMAC.agreeing({ timestamp_precision });
    const pair = await calls.signing(signer);
    for (const seconds of [-300, -299, 0, 299, 300]) {
      expect([seconds, verdictOf(await calls.create(pair, signer, { at: calls.clock.now() + seconds * 1000 }))]).toEqual([
        seconds,
        accepted,
      ]);
    }
    for (const seconds of [-301, 301, -600, 600, 86_400]) {
      const reply = await calls.create(pair, signer, { at: calls.clock.now() + seconds * 1000 });
      expect([seconds, verdictOf(reply)]).toEqual([seconds, refused('timestamp')]);
      expect(reply.body.error_message).toContain(`${String(Math.abs(seconds))} s ${seconds < 0 ? 'behind' : 'ahead of'} the clock`);
    }
  });

  it('in another precision is refused, and the refusal names the right one (C17)', async () => {
    for (const set of precisions) {
      const pair = await calls.signing(partners.HMAC.agreeing({ timestamp_precision: set }));
      for (const sent of precisions.filter((one) => one !== set)) {
        const reply = await calls.create(pair, partners.HMAC.agreeing({ timestamp_precision: sent }));
        expect(verdictOf(reply)).toEqual(refused('timestamp-precision'));
        expect(reply.body.error_message).toBe(`The timestamp is in ${sent} where ${set} are set`);
      }
    }
  });

  it.each([
    'now',
    '0x6b49d200',
    '1.8e9',
    '-1800000000',
    '+1800000000',
    '01800000000',
    '1800000000.0',
    '１８００００００００',
    '9'.repeat(40),
  ])('is a plain number: not %j', async (text) => {
    const pair = await calls.signing(partners.HMAC);
    // A header carries bytes: a character outside Latin-1 arrives as something else, which is no number either.
    const sent = Buffer.from(text).toString('latin1');
    expect(verdictOf(await calls.create(pair, partners.HMAC, { headers: { 'X-Timestamp': sent } }))).toEqual(unreadable('timestamp'));
  });
});

describe('headers', () => {
  const signer = partners.HMAC.agreeing({ payload_template: everything, identity: 'who', nonce_length: 36 });
  let pair: Pair;
  beforeAll(async () => {
    pair = await calls.signing(signer, {}, { merchant_id: 'm_1' });
  });
  const change = { merchant_id: 'm_1' };
  const all = ['X-Signature', 'X-Timestamp', 'X-Client-Id', 'X-Nonce', 'X-Identity', 'X-Merchant-Id'];

  it.each(all)('%s must be there, once, and not empty', async (name) => {
    expect(verdictOf(await calls.create(pair, signer, { ...change, headers: { [name]: undefined } }))).toEqual(lacks(name));
    expect(verdictOf(await calls.create(pair, signer, { ...change, headers: { [name]: '' } }))).toEqual(lacks(name));
    expect(verdictOf(await calls.create(pair, signer, change))).toEqual(accepted);
  });

  it.each(all)('%s may not be doubled, even with the same value', async (name) => {
    const body = orderOf(pair);
    const headers = signer.headers({ method: 'POST', url: publicBase + createPath, payload: body, at: calls.clock.now(), ...change });
    const lines = Object.entries(headers).flat();
    for (const again of [headers[name] ?? '', 'other']) {
      const reply = await calls.raw(createPath, [...lines, name.toLowerCase(), again], body);
      expect([reply.status, reply.code]).toEqual([400, 'INVALID_INPUT']);
    }
    expect((await calls.raw(createPath, lines, body)).status).toBe(200);
  });

  it.each([
    ['X-Identity', 'other'],
    ['X-Merchant-Id', 'm_2'],
    ['X-Client-Id', 'CID_1'],
    ['X-Nonce', 'short'],
    ['X-Nonce', 'x'.repeat(65)],
    ['X-Nonce', 'has a blank in its middle'],
  ])('%s may not be %j', async (name, value) => {
    expect(verdictOf(await calls.create(pair, signer, { ...change, headers: { [name]: value } }))).toEqual(refused(name));
  });

  it('that the template does not use may be left out, but must match if they are sent', async () => {
    const plain = partners.HMAC.agreeing({ payload_template: '{request_method}.{url}.{timestamp}.{payload}', identity: 'who' });
    const other = await calls.signing(plain);
    expect(verdictOf(await calls.create(other, plain, { headers: { 'X-Identity': undefined, 'X-Client-Id': undefined } }))).toEqual(
      accepted,
    );
    expect(verdictOf(await calls.create(other, plain))).toEqual(accepted);
    expect(verdictOf(await calls.create(other, plain, { headers: { 'X-Identity': 'other' } }))).toEqual(refused('X-Identity'));
    expect(verdictOf(await calls.create(other, plain, { headers: { 'X-Client-Id': 'other' } }))).toEqual(refused('X-Client-Id'));
  });
});

describe('the nonce', () => {
  it('is accepted once, and only a valid signature uses it up', async () => {
    const signer = partners.HMAC.agreeing({ payload_template: '{request_method}.{url}.{timestamp}.{nonce}.{payload}', nonce_length: 20 });
    const pair = await calls.signing(signer);
    const nonce = '0123456789abcdefABCD';
    const wrong = await calls.create(pair, signer, { nonce, headers: { 'X-Signature': Buffer.alloc(32).toString('base64') } });
    expect(verdictOf(wrong)).toEqual(refused('signature'));
    expect(verdictOf(await calls.create(pair, signer, { nonce }))).toEqual(accepted);
    expect(verdictOf(await calls.create(pair, signer, { nonce }))).toEqual(refused('nonce-used'));
    expect(verdictOf(await calls.create(pair, signer, { nonce, at: calls.clock.now() + 1000 }))).toEqual(refused('nonce-used'));
    const other = await calls.signing(signer);
    expect(verdictOf(await calls.create(other, signer, { nonce }))).toEqual(accepted);
  });
});

describe('the url', () => {
  it('is the public address and the target as sent: query, final slash and escapes', async () => {
    const pair = await calls.signing(partners.HMAC);
    for (const path of [createPath, createPath.slice(0, -1), `${createPath}?a=1&b=%C3%A4`, `${createPath}?b=2&a=1`]) {
      expect([path, verdictOf(await calls.create(pair, partners.HMAC, { path }))]).toEqual([path, accepted]);
    }
    expect(verdictOf(await calls.create(pair, partners.HMAC, { path: createPath.slice(0, -1), url: publicBase + createPath }))).toEqual(
      refused('signature'),
    );
    expect(verdictOf(await calls.create(pair, partners.HMAC, { path: `${createPath}?a=1`, url: publicBase + createPath }))).toEqual(
      refused('signature'),
    );
    expect(
      verdictOf(await calls.create(pair, partners.HMAC, { path: `${createPath}?a=%C3%A4`, url: `${publicBase}${createPath}?a=ä` })),
    ).toEqual(refused('signature'));
  });

  it('follows neither Host nor what a proxy is said to have seen', async () => {
    const pair = await calls.signing(partners.HMAC);
    const lies = {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'http',
      'X-Forwarded-Prefix': '/evil',
      Forwarded: 'host=evil.example',
    };
    expect(verdictOf(await calls.create(pair, partners.HMAC, { headers: lies }))).toEqual(accepted);
    expect(verdictOf(await calls.create(pair, partners.HMAC, { headers: lies, url: `http://evil.example${createPath}` }))).toEqual(
      refused('signature'),
    );
  });

  it('is never that of an absolute target', async () => {
    const pair = await calls.signing(partners.HMAC);
    const target = publicBase + createPath;
    const headers = partners.HMAC.headers({ method: 'POST', url: target, payload: orderOf(pair), at: calls.clock.now() });
    const lines = Object.entries(headers).flat();
    const reply = await calls.raw(target, lines, orderOf(pair));
    expect([reply.status, reply.code]).toEqual([401, 'INVALID_SIGNATURE']);
  });
});

describe('the payload', () => {
  const odd = (pair: Pair) =>
    `\n{ "order" : {"amount":1.10,"currency":"U\\u0053D", "note":"Zo\\u00eb \\/"},\t"client_id":"${pair.clientId}",\r\n"app_id":"${pair.appId}" } `;

  it('is the raw bytes, whatever blanks, escapes and order they have', async () => {
    const pair = await calls.signing(partners.HMAC);
    expect(verdictOf(await calls.create(pair, partners.HMAC, { sent: odd(pair) }))).toEqual(accepted);
  });

  it.each([
    [
      'compact',
      {},
      (p: Pair) => `{"order":{"amount":1.10,"currency":"USD","note":"Zoë /"},"client_id":"${p.clientId}","app_id":"${p.appId}"}`,
    ],
    [
      'with blanks',
      { payload_spaces: true },
      (p: Pair) => `{"order": {"amount": 1.10, "currency": "USD", "note": "Zoë /"}, "client_id": "${p.clientId}", "app_id": "${p.appId}"}`,
    ],
    [
      'sorted',
      { payload_sort_keys: true },
      (p: Pair) => `{"app_id":"${p.appId}","client_id":"${p.clientId}","order":{"amount":1.10,"currency":"USD","note":"Zoë /"}}`,
    ],
    [
      'sorted with blanks',
      { payload_sort_keys: true, payload_spaces: true },
      (p: Pair) => `{"app_id": "${p.appId}", "client_id": "${p.clientId}", "order": {"amount": 1.10, "currency": "USD", "note": "Zoë /"}}`,
    ],
  ])('or the body printed again in the form that was agreed on: %s', async (_form, more, printed) => {
    const pair = await calls.signing(partners.HMAC, more);
    expect(verdictOf(await calls.create(pair, partners.HMAC, { signed: printed(pair), sent: odd(pair) }))).toEqual(accepted);
    expect(verdictOf(await calls.create(pair, partners.HMAC, { signed: printed(pair).replace('1.10', '1.1'), sent: odd(pair) }))).toEqual(
      refused('signature'),
    );
  });

  const ordered = (p: Pair, note: string, gap = '') =>
    `{"order":${gap}{"amount":${gap}1.10,${gap}"currency":${gap}"USD",${gap}"note":${gap}"${note}"},${gap}"client_id":${gap}"${p.clientId}",${gap}"app_id":${gap}"${p.appId}"}`;

  it.each([
    ['compact with escapes', {}, (p: Pair) => ordered(p, 'Zo\\u00eb /')],
    ['with blanks', {}, (p: Pair) => ordered(p, 'Zoë /', ' ')],
    ['with blanks and escapes', {}, (p: Pair) => ordered(p, 'Zo\\u00eb /', ' ')],
    ['compact where blanks were agreed on', { payload_spaces: true }, (p: Pair) => ordered(p, 'Zoë /')],
    ['not sorted where sorting was agreed on', { payload_sort_keys: true }, (p: Pair) => ordered(p, 'Zo\\u00eb /')],
  ])('or the body printed again %s, whatever was agreed on (C6)', async (_form, more, printed) => {
    const pair = await calls.signing(partners.HMAC, more);
    expect(verdictOf(await calls.create(pair, partners.HMAC, { signed: printed(pair), sent: odd(pair) }))).toEqual(accepted);
  });

  it.each([
    ['sorted', (sent: string) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(sent) as object).sort()))],
    ['with blanks after colons alone', (sent: string) => JSON.stringify(JSON.parse(sent)).replaceAll(':', ': ')],
    ['with upper-case escapes', (sent: string) => JSON.stringify(JSON.parse(sent)).replace('ë', '\\u00EB')],
  ])('printed %s, which nobody agreed on, is not accepted', async (_form, printed) => {
    const pair = await calls.signing(partners.HMAC);
    const sent = odd(pair);
    expect(verdictOf(await calls.create(pair, partners.HMAC, { signed: printed(sent), sent }))).toEqual(refused('signature'));
  });

  it('is only the raw bytes after 30 wrong signatures of an app and address in a minute', async () => {
    const pair = await calls.signing(partners.HMAC);
    const [sent, signed] = [odd(pair), ordered(pair, 'Zoë /')];
    for (let i = 0; i < 30; i++)
      expect(verdictOf(await calls.create(pair, partners.HMAC, { signed: 'x', sent }))).toEqual(refused('signature'));
    const beyond = await calls.create(pair, partners.HMAC, { signed, sent });
    expect(verdictOf(beyond)).toEqual(refused('signature'));
    expect(beyond.body.error_message).toContain('only the very bytes');
    expect(verdictOf(await calls.create(pair, partners.HMAC, { sent }))).toEqual(accepted);
    const other = await calls.signing(partners.HMAC);
    expect(verdictOf(await calls.create(other, partners.HMAC, { signed: ordered(other, 'Zoë /'), sent: odd(other) }))).toEqual(accepted);
  });

  it('of a request without a body is empty', async () => {
    const signer = partners.HMAC;
    const pair = await calls.pair({ hostApp: { signature: signer.settings } });
    const path = `/api/v1/accounts/consent/revoke/?client_id=${pair.clientId}&app_id=${pair.appId}&user_reference=u1`;
    const call = (payload: string) =>
      calls.service.call('DELETE', path, {
        headers: signer.headers({ method: 'DELETE', url: publicBase + path, payload, at: calls.clock.now() }),
      });
    expect((await call('')).status).toBe(200);
    expect(verdictOf(await call('{}'))).toEqual([401, 'INVALID_SIGNATURE', 'signature', 'hostapp']);
    expect(verdictOf(await calls.service.call('DELETE', path))).toEqual([401, 'MISSING_HEADER', 'X-Signature', 'hostapp']);
  });
});
