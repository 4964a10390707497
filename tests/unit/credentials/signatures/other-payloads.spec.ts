import { defaultSignatureSettings, type SignatureSettings } from '../../../../src/domain/credentials/signing/signature-settings';
import { otherPayloads, readPayload } from '../../../../src/domain/credentials/signing/signed-payloads';
import { prepareSigning } from '../../../../src/domain/credentials/signing/signing-string';

const noPause = (): Promise<void> => Promise.resolve();

const textsOf = async (body: string, more: Partial<SignatureSettings> = {}): Promise<string[]> => {
  const signing = prepareSigning({ ...defaultSignatureSettings, ...more });
  const read = await readPayload(new TextEncoder().encode(body), signing, noPause);
  const texts: string[] = [];
  if (read) for await (const bytes of otherPayloads(read, signing.form, noPause)) texts.push(new TextDecoder().decode(bytes));
  return texts;
};

it('are compact and with blanks, each unescaped and with escapes', async () => {
  expect(await textsOf('{ "b":"\\u00FC", "a":1.10 }')).toEqual([
    '{"b":"ü","a":1.10}',
    '{"b":"\\u00fc","a":1.10}',
    '{"b": "ü", "a": 1.10}',
    '{"b": "\\u00fc", "a": 1.10}',
  ]);
});

it('are sorted too where the app sorts', async () => {
  expect(await textsOf('{ "b":1,"a":2 }', { payloadSortKeys: true })).toEqual([
    '{"a":2,"b":1}',
    '{"a": 2, "b": 1}',
    '{"b":1,"a":2}',
    '{"b": 1, "a": 2}',
  ]);
});

it('begin with the form that was agreed on', async () => {
  expect((await textsOf('{"b":"ü","a":1 }', { payloadAscii: true, payloadSpaces: true }))[0]).toBe('{"b": "\\u00fc", "a": 1}');
});

it('never come twice, nor as the very bytes', async () => {
  expect(await textsOf('{"a":1}')).toEqual(['{"a": 1}']);
  expect(await textsOf('{"a":"\\u00fc"}')).toEqual(['{"a":"ü"}', '{"a": "ü"}', '{"a": "\\u00fc"}']);
  expect(await textsOf('1')).toEqual([]);
});

it('write characters beyond U+FFFF as two escapes, and U+007F as it is', async () => {
  expect((await textsOf('{"é" :"😀\u007f\u0080"}'))[1]).toBe('{"\\u00e9":"\\ud83d\\ude00\u007f\\u0080"}');
});

it.each([
  ['no body', ''],
  ['no JSON', 'a=1'],
  ['an invalid text', '{"a":1,"a":2}'],
])('are none of %s', async (_what, body) => {
  expect(await textsOf(body)).toEqual([]);
});

it('are none where the payload is not signed', async () => {
  expect(await textsOf('{"a": 1}', { payloadTemplate: '{request_method}.{url}.{timestamp}' })).toEqual([]);
});
