import fc from 'fast-check';
import { defaultSignatureSettings, type SignatureSettings } from '../../../src/domain/credentials/signing/signature-settings';
import {
  inboundUrl,
  outboundUrl,
  prepareSigning,
  readTimestamp,
  signingString,
  timestampText,
} from '../../../src/domain/credentials/signing/signing-string';
import { compileTemplate, placeholders, TemplateRefused, type Placeholder } from '../../../src/domain/credentials/signing/signing-template';
import {
  admits,
  anInput,
  chanceOf,
  readingsOf,
  searchForAmbiguity,
  signerWith,
  textOf,
  type Admits,
} from '../../support/signatures/template-safety';

const utf8 = (text: string) => new TextEncoder().encode(text);
const read = (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
const settings = (change: Partial<SignatureSettings> = {}): SignatureSettings => ({ ...defaultSignatureSettings, ...change });

describe('the text that is signed', () => {
  const values = {
    request_method: 'POST',
    url: 'https://p.example/a?b=1',
    client_id: 'cid',
    timestamp: '1700000000',
    nonce: 'nonce',
    identity: 'id',
    merchant_id: 'm',
    payload: utf8('{"é":1}'),
  };

  it('is the template with its placeholders replaced and the payload byte by byte', () => {
    const parts = compileTemplate('<{merchant_id}|{identity}|{nonce}|{timestamp}|{client_id}|{url}|{request_method}|{payload}>é');
    expect(read(signingString(parts, values))).toBe('<m|id|nonce|1700000000|cid|https://p.example/a?b=1|POST|{"é":1}>é');
    const anyBytes = Uint8Array.of(0xff, 0x00, 0xc3);
    expect(signingString(compileTemplate('a{payload}b'), { payload: anyBytes })).toEqual(Uint8Array.of(0x61, 0xff, 0x00, 0xc3, 0x62));
  });

  it('contains values as they are, also those that look like a placeholder or a pattern', () => {
    const hostile = ['{payload}', '{client_id}', '$&', '$1', '$`', "$'", '$$', '{', '}', '{{url}}', '\\', '%s', '\u0000'];
    const texts = fc.constantFrom(...hostile);
    const names = fc.array(fc.constantFrom<Placeholder>(...placeholders), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(names, fc.array(texts, { minLength: 8, maxLength: 8 }), (used, given) => {
        const filled = Object.fromEntries(placeholders.map((name, i) => [name, given[i] ?? '']));
        const text = signingString(compileTemplate(used.map((name) => `{${name}}`).join('.')), {
          ...filled,
          payload: utf8(filled.payload ?? ''),
        });
        expect(read(text)).toBe(used.map((name) => filled[name]).join('.'));
      }),
    );
  });

  it('has nothing for an absent value', () => {
    expect(read(signingString(compileTemplate('{nonce}.{payload}.{identity}'), { payload: new Uint8Array() }))).toBe('..');
    const long = new Uint8Array(262_144).fill(0x61);
    expect(signingString(compileTemplate('{payload}{payload}'), { payload: long })).toHaveLength(524_288);
  });
});

describe('settings made ready', () => {
  it('are made ready once for each record', () => {
    const record = settings();
    expect(prepareSigning(record)).toBe(prepareSigning(record));
    expect(prepareSigning(settings())).not.toBe(prepareSigning(record));
  });

  it('refuse a template that could not be stored, each time', () => {
    const record = settings({ payloadTemplate: '{body}' });
    expect(() => prepareSigning(record)).toThrow(TemplateRefused);
    expect(() => prepareSigning(record)).toThrow(TemplateRefused);
  });

  it.each([
    ['.{nonce}.', 'A'.repeat(15), false],
    ['.{nonce}.', 'A'.repeat(16), true],
    ['.{nonce}.', 'A'.repeat(64), true],
    ['.{nonce}.', 'A'.repeat(65), false],
    ['\n{nonce}\n', '00000000-0000-4000-8000-000000000000', true],
    ['.{nonce}.', 'AAAA+/=_~-AAAAAA', true],
    ['.{nonce}.', 'AAAAAAAAAAAAAAA.', false],
    ['.{nonce}.', 'AAAAAAAAAAAAAAA ', false],
    ['.{nonce}.', 'AAAAAAAAAAAAAAA\n', false],
    ['.{nonce}.', 'AAAAAAAAAAAAAAAé', false],
    // A letter beside it: it has exactly the length that is set.
    ['x{nonce}.', 'A'.repeat(32), true],
    ['x{nonce}.', 'A'.repeat(31), false],
    ['.{nonce}-', 'A'.repeat(33), false],
    ['{nonce}{timestamp}', 'A'.repeat(33), false],
  ])('know for %j whether %j is a nonce', (payloadTemplate, nonce, isOne) => {
    expect(prepareSigning(settings({ payloadTemplate, nonceLength: 32 })).nonceForm.test(nonce)).toBe(isOne);
  });
});

describe('timestamps', () => {
  const ready = (timestampPrecision: SignatureSettings['timestampPrecision']) => prepareSigning(settings({ timestampPrecision }));

  it.each([
    ['seconds', '1700000000', 1_700_000_000_000],
    ['milliseconds', '1700000000123', 1_700_000_000_123],
    ['microseconds', '1700000000123000', 1_700_000_000_123],
    ['nanoseconds', '1700000000123000000', 1_700_000_000_123],
  ] as const)('in %s are %s', (precision, text, at) => {
    expect(timestampText(1_700_000_000_123, ready(precision))).toBe(text);
    expect(readTimestamp(text, ready(precision))).toBe(at);
  });

  it('are cut to milliseconds, and the longest number is read exactly', () => {
    expect(readTimestamp('1700000000123999999', ready('nanoseconds'))).toBe(1_700_000_000_123);
    expect(readTimestamp('9007199254740993', ready('microseconds'))).toBe(9_007_199_254_740);
  });

  it.each([
    '',
    '0',
    '01700000000',
    '-1700000000',
    '+1700000000',
    '1700000000.0',
    '1.7e9',
    '0x65',
    ' 1700000000',
    '1700000000\n',
    '１７０００００００００',
    '1'.repeat(20),
  ])('are not %j', (text) => {
    for (const precision of ['seconds', 'nanoseconds'] as const) expect(readTimestamp(text, ready(precision))).toBeUndefined();
  });
});

describe('the url', () => {
  it.each([
    ['full', '/api/v1/connect/', 'https://platform.example/api/v1/connect/'],
    ['full', '/api/v1/connect', 'https://platform.example/api/v1/connect'],
    ['full', '/a/?b=%C3%A4&c=1#d', 'https://platform.example/a/?b=%C3%A4&c=1#d'],
    ['path', '/api/v1/connect/?x=1', '/api/v1/connect/?x=1'],
    ['full', '//other.example/a', 'https://platform.example//other.example/a'],
  ] as const)('of an inbound request is, %s, for %s: %s', (form, target, url) => {
    expect(inboundUrl(target, form, 'https://platform.example')).toBe(url);
  });

  it.each([
    'https://other.example/a',
    '*',
    'a',
    '',
    '/a b',
    '/a"b',
    '/{',
    '/a}',
    '/a\\b',
    '/a|b',
    '/a^b',
    '/a`b',
    '/a<b',
    '/ä',
    '/a\tb',
    '/a\nb',
  ])('is never built from the target %j', (target) => {
    for (const form of ['full', 'path'] as const) expect(inboundUrl(target, form, 'https://platform.example')).toBeUndefined();
  });

  it.each([
    ['full', 'https://p.example/a?b=1', 'https://p.example/a?b=1'],
    ['full', 'https://p.example', 'https://p.example'],
    ['path', 'https://p.example/a?b=1', '/a?b=1'],
    ['path', 'https://p.example:8443', '/'],
    ['path', 'https://p.example?b', '/?b'],
  ] as const)('of a call to a partner is, %s, for %s: %s', (form, configured, url) => {
    expect(outboundUrl(configured, form)).toBe(url);
  });
});

describe('no two requests under one signature', () => {
  it('in 20,000 divisions of texts of 200 templates that would be stored', () => {
    const { ambiguous, strings, divisions } = searchForAmbiguity({ seed: 20_260_101, templates: 200, pairs: 20_000 });
    expect(ambiguous).toEqual([]);
    expect([strings, divisions].map((count, i) => count >= [200, 20_000][i]!)).toEqual([true, true]);
  });

  // The search must be able to find: with one rule loosened it does.
  const anyBody: Admits = (signer, name, text) => name === 'payload' || admits(signer, name, text);
  const anyNonce: Admits = (signer, name, text) =>
    name === 'nonce' ? /^[A-Za-z0-9+/=_~-]{16,64}$/.test(text) : admits(signer, name, text);
  const anyTime: Admits = (signer, name, text) => (name === 'timestamp' ? /^[0-9]{1,19}$/.test(text) : admits(signer, name, text));
  it.each([
    ['a body may be anything', '{request_method}.{url}.{timestamp}.{payload}', anyBody],
    ['a nonce may have any length beside a letter', '{request_method}.{url}x{nonce}.{timestamp}.{payload}', anyNonce],
    ['a timestamp may have any length', '{request_method}.{url}1{timestamp}.{payload}', anyTime],
  ])('finds some where %s', (_what, template, loosened) => {
    const chance = chanceOf(7);
    let found = 0;
    for (let i = 0; i < 3000 && found === 0; i++) {
      const signer = signerWith(template, chance);
      const text = textOf(signer, anInput(signer, chance));
      expect(readingsOf(signer, text).inputs).toHaveLength(1);
      if (readingsOf(signer, text, loosened).inputs.length > 1) found++;
    }
    expect(found).toBe(1);
  });

  it('finds some in a template that needs acknowledgement', () => {
    const signer = signerWith('{request_method}.{url}{nonce}.{timestamp}.{payload}', chanceOf(1));
    const loose = { ...signer, ready: { ...signer.ready, nonceForm: /^[A-Za-z0-9]{16,64}$/ } };
    const input = { ...anInput(signer, chanceOf(2)), url: `https://platform.example/a`, nonce: 'A'.repeat(20) };
    const path = loose.settings.urlForm === 'path' ? { ...input, url: '/a' } : input;
    expect(readingsOf(loose, textOf(loose, path)).inputs.length).toBeGreaterThan(1);
  });
});
