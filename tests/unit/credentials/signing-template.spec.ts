import fc from 'fast-check';
import { missingSignatureSettings } from '../../../src/domain/credentials/signing/signature-rules';
import { defaultSignatureSettings } from '../../../src/domain/credentials/signing/signature-settings';
import {
  compileTemplate,
  placeholders,
  placeholdersOf,
  TemplateRefused,
  templateWeaknesses,
} from '../../../src/domain/credentials/signing/signing-template';

const weaknesses = (template: string) => templateWeaknesses(compileTemplate(template));

it('compiles a template to text and placeholders, in order', () => {
  expect(compileTemplate('v1:{url}.{payload}')).toEqual([
    { text: 'v1:' },
    { placeholder: 'url' },
    { text: '.' },
    { placeholder: 'payload' },
  ]);
  expect(compileTemplate('')).toEqual([]);
});

it('finds nothing weak in the default', () => {
  expect(weaknesses(defaultSignatureSettings.payloadTemplate)).toEqual([]);
});

it.each([
  ['{url}.{timestamp}.{payload}', ['lacks {request_method}']],
  ['{request_method}.{timestamp}.{payload}', ['lacks {url}']],
  ['{request_method}.{url}.{payload}', ['lacks {timestamp}']],
  ['{request_method}.{url}.{timestamp}', ['lacks {payload}']],
  ['x', ['lacks {request_method}, {url}, {timestamp}, {payload}']],
  ['{request_method}{url}.{timestamp}.{payload}', ['has two placeholders side by side']],
  ['{nonce}{identity}', ['lacks {request_method}, {url}, {timestamp}, {payload}', 'has two placeholders side by side']],
])('finds the weakness in %s', (template, expected) => {
  expect(weaknesses(template)).toEqual(expected);
});

it.each(['{body}', '{}', '{', '}', '{url', 'url}', '{{url}}', '{ url}', '{URL}', '{toString}'])('refuses %s', (template) => {
  expect(() => compileTemplate(template)).toThrow(TemplateRefused);
});

it('loses nothing of any template: the parts spell it again', () => {
  const piece = fc.oneof(
    fc.constantFrom(...placeholders).map((name) => `{${name}}`),
    fc.string().map((text) => text.replace(/[{}]/g, '')),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const parts = compileTemplate(pieces.join(''));
      expect(parts.map((part) => ('text' in part ? part.text : `{${part.placeholder}}`)).join('')).toBe(pieces.join(''));
      expect(placeholdersOf(parts)).toHaveLength(pieces.filter((one) => one.startsWith('{')).length);
    }),
  );
});

it('names what a template needs and the settings lack', () => {
  const settings = { ...defaultSignatureSettings, algorithm: 'HMAC' as const, payloadTemplate: '{client_id}.{identity}.{nonce}' };
  expect(missingSignatureSettings(settings, {})).toEqual(['hmac_secret', 'api_client_id', 'identity', 'nonce_length']);
  const complete = { ...settings, apiClientId: 'c', identity: 'i', nonceLength: 16 };
  const value = { secret: {} as never, fingerprint: '', createdAt: 0 };
  expect(missingSignatureSettings(complete, { hmac_secret: { current: value } })).toEqual([]);
  expect(missingSignatureSettings({ ...defaultSignatureSettings, payloadTemplate: '{url}' }, {})).toEqual(['algorithm']);
});
