import { JsonNumber, type JsonObject, JsonSyntaxError, maxDepth } from '../../../src/domain/shared/json';
import { readJson, readJsonInTurns, readJsonText } from '../../../src/domain/shared/read-json';
import { printJson } from '../../../src/domain/shared/print-json';

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : Buffer.from(part))));
const nested = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);

describe('reading', () => {
  it.each([
    ['an empty object', '{}', '{}'],
    ['an empty array', '[]', '[]'],
    ['blanks of all four kinds', ' \t\r\n{ "a"\t:\n1\r, "b" : [ ] } ', '{"a":1,"b":[]}'],
    ['the three words', '[true,false,null]', '[true,false,null]'],
    ['a lone number', '42', '42'],
    ['a lone string', '"x"', '"x"'],
    ['the empty name', '{"":0}', '{"":0}'],
    ['names that look like integers, in order', '{"2":1,"1":2,"b":3,"10":4,"a":5}', '{"2":1,"1":2,"b":3,"10":4,"a":5}'],
    ['names that mean something to JavaScript', '{"__proto__":{"x":1},"constructor":2}', '{"__proto__":{"x":1},"constructor":2}'],
    ['negative zero', '[-0,-0.0,0e0]', '[-0,-0.0,0e0]'],
    [
      'numbers beyond a float',
      '[1e400,123456789012345678901234567890,0.1000,1E+2,1e-7]',
      '[1e400,123456789012345678901234567890,0.1000,1E+2,1e-7]',
    ],
    ['all short escapes', '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\"\\\\/\\b\\f\\n\\r\\t"'],
    ['hex escapes in either case', '"\\u00eF\\u00Ef"', '"ïï"'],
    ['a pair spelt in two escapes', '"\\ud83d\\uDE00"', '"😀"'],
    ['raw characters outside the first plane', '"😀𝄞"', '"😀𝄞"'],
    ['line separators and DEL', '"\u2028\u2029\u007f"', '"\u2028\u2029\u007f"'],
    ['noncharacters', '"\\uFFFF\ufdd0"', '"\uffff\ufdd0"'],
    ['a byte order mark inside a string', '"\ufeff"', '"\ufeff"'],
    ['an escaped control character', '"\\u0001\\u001f"', '"\\u0001\\u001f"'],
    ['the same name at two levels', '{"a":{"a":1}}', '{"a":{"a":1}}'],
  ])('%s', (_what, text, printed) => {
    expect(printJson(readJson(bytes(text)))).toBe(printed);
    expect(printJson(readJsonText(text))).toBe(printed);
  });

  it('keeps a member named __proto__ as a plain member', () => {
    const json = readJsonText('{"__proto__":{"admin":true}}') as JsonObject;
    expect([...json.members.keys()]).toEqual(['__proto__']);
    expect(json.get('admin')).toBeUndefined();
    expect(json.get('toString')).toBeUndefined();
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('keeps a number as its text', () => {
    expect(readJsonText('-12.3400E+05')).toEqual(new JsonNumber('-12.3400E+05'));
  });

  it('reads as deep as it promises, arrays and objects alike', () => {
    expect(maxDepth).toBe(64);
    expect(printJson(readJsonText(nested('[', ']', 64)))).toBe(nested('[', ']', 64));
    const objects = `${'{"a":'.repeat(63)}{}${'}'.repeat(63)}`;
    expect(printJson(readJsonText(objects))).toBe(objects);
  });

  it('counts levels, not brackets', () => {
    const siblings = `[${Array.from({ length: 1000 }, () => '[]').join(',')}]`;
    expect(printJson(readJsonText(siblings))).toBe(siblings);
  });
});

describe('refused input', () => {
  it.each([
    ['nothing', ''],
    ['blanks only', ' \n'],
    ['a form feed as blank', '\f[]'],
    ['a no-break space as blank', '\u00a0[]'],
    ['an open array', '[1'],
    ['an open object', '{"a":1'],
    ['an object that ends after its name', '{"a"'],
    ['an object that ends after its colon', '{"a":'],
    ['an open string', '"abc'],
    ['a string that ends in a backslash', '"\\'],
    ['a stray closing bracket', ']'],
    ['a mismatched bracket', '[}'],
    ['a trailing comma in an array', '[1,]'],
    ['a trailing comma in an object', '{"a":1,}'],
    ['a leading comma', '[,1]'],
    ['two commas', '[1,,2]'],
    ['a comma and no more', '[,]'],
    ['a missing comma', '[1 2]'],
    ['a missing comma between members', '{"a":1 "b":2}'],
    ['a missing colon', '{"a" 1}'],
    ['two colons', '{"a"::1}'],
    ['a comma for a colon', '{"a",1}'],
    ['a name without quotes', '{a:1}'],
    ['a name in single quotes', "{'a':1}"],
    ['a number as name', '{1:1}'],
    ['a string in single quotes', "'a'"],
    ['text after the value', '{} {}'],
    ['text after a number', '1 1'],
    ['a comment', '[1/*x*/]'],
    ['a line comment', '[1] // x'],
    ['a word in capitals', '[True]'],
    ['half a word', '[tru]'],
    ['undefined', 'undefined'],
    ['NaN', '[NaN]'],
    ['Infinity', '[-Infinity]'],
    ['a plus sign', '[+1]'],
    ['a lone minus', '[-]'],
    ['a minus and a blank', '[- 1]'],
    ['two minuses', '[--1]'],
    ['a leading zero', '[01]'],
    ['a negative leading zero', '[-01]'],
    ['a bare point', '[1.]'],
    ['a point at the start', '[.5]'],
    ['a point before the exponent', '[1.e1]'],
    ['an exponent without digits', '[1e]'],
    ['an exponent with only a sign', '[1e+]'],
    ['an exponent with a point', '[1e1.5]'],
    ['hexadecimal', '[0x1]'],
    ['digits with underscores', '[1_000]'],
    ['full-width digits', '[１]'],
    ['a raw tab in a string', '"a\tb"'],
    ['a raw newline in a string', '"a\nb"'],
    ['a raw NUL in a string', '"a\u0000b"'],
    ['a raw unit separator in a string', '"\u001f"'],
    ['a NUL between tokens', '[\u00001]'],
    ['an escaped NUL', '"\\u0000"'],
    ['an escaped NUL in a name', '{"\\u0000":1}'],
    ['an unknown escape', '"\\x41"'],
    ['an escape of a single quote', '"\\\'"'],
    ['a capital U escape', '"\\U0041"'],
    ['a short hex escape', '"\\u12"'],
    ['a hex escape cut by the quote', '"\\u123"'],
    ['a hex escape with other letters', '"\\u00g0"'],
    ['a hex escape with a sign', '"\\u+123"'],
    ['a hex escape with a blank', '"\\u 123"'],
    ['an escaped lone high surrogate', '"\\ud83d"'],
    ['an escaped lone low surrogate', '"\\ude00"'],
    ['two escaped high surrogates', '"\\ud83d\\ud83d"'],
    ['an escaped pair the wrong way round', '"\\ude00\\ud83d"'],
    ['half a pair before an ordinary character', '"\\ud83dx\\ude00"'],
    ['an escaped half before a raw pair', '"\\ud83d😀"'],
    ['a raw pair before an escaped half', '"😀\\ude00"'],
    ['a lone surrogate in a name', '{"\\udc00":1}'],
    ['a duplicate name', '{"a":1,"a":1}'],
    ['a duplicate name by escape', '{"a":1,"\\u0061":2}'],
    ['a duplicate name further on', '{"a":1,"b":2,"a":3}'],
    ['a duplicate __proto__', '{"__proto__":1,"__proto__":2}'],
    ['a duplicate empty name', '{"":1,"":2}'],
    ['a duplicate name deep inside', '[{"x":[{"a":1,"a":2}]}]'],
    ['a byte order mark', '\ufeff{}'],
    ['65 levels of arrays', nested('[', ']', 65)],
    ['65 levels of objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
    ['65 levels mixed', `${'[{"a":'.repeat(33)}1${'}]'.repeat(33)}`],
  ])('%s', (_what, text) => {
    expect(() => readJson(bytes(text))).toThrow(JsonSyntaxError);
    expect(() => readJsonText(text)).toThrow(JsonSyntaxError);
  });

  it.each([
    ['a lone continuation byte', [0x80]],
    ['a cut two-byte sequence', [0xc3]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an overlong NUL', [0xc0, 0x80]],
    ['an overlong three-byte sequence', [0xe0, 0x80, 0xaf]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['a pair of surrogates in UTF-8 (CESU-8)', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
    ['a value over U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a five-byte sequence', [0xf8, 0x88, 0x80, 0x80, 0x80]],
    ['0xFE and 0xFF', [0xfe, 0xff]],
    ['Latin-1', [0xe9]],
  ])('bytes that are not UTF-8: %s', (_what, sequence) => {
    expect(() => readJson(bytes('{"a":"', sequence, '"}'))).toThrow(new JsonSyntaxError('Invalid UTF-8', 0));
  });

  it('UTF-16 and a byte order mark in bytes', () => {
    expect(() => readJson(Buffer.from('{"a":1}', 'utf16le'))).toThrow(JsonSyntaxError);
    expect(() => readJson(bytes([0xef, 0xbb, 0xbf], '{}'))).toThrow(JsonSyntaxError);
  });

  it.each([
    ['a raw lone high surrogate', '"\ud83d"'],
    ['a raw lone low surrogate', '"\ude00"'],
    ['a raw half completed by an escape', '"\ud83d\\ude00"'],
    ['an escape completed by a raw half', '"\\ud83d\ude00"'],
    ['a raw half outside a string', '\ud83d'],
  ])('text that bytes could not hold: %s', (_what, text) => {
    expect(() => readJsonText(text)).toThrow(JsonSyntaxError);
  });

  it.each([['['], ['{"a":'], ['[{"a":']])('any depth of %s without overflowing the stack', (open) => {
    expect(() => readJsonText(open.repeat(100_000))).toThrow(/Nesting is too deep/);
  });

  it('names the problem and its position without quoting the text', () => {
    expect(() => readJsonText('{"secret":"top-secret" x}')).toThrow(new JsonSyntaxError('Expected a comma or the end of the object', 23));
  });
});

describe('a long body is read in turns', () => {
  const inTurns = async (text: string) => {
    let pauses = 0;
    const json = await readJsonInTurns(bytes(text), async () => {
      pauses += 1;
    });
    return { json, pauses };
  };

  it.each([
    [
      'arrays in arrays',
      `[${Array(1_000)
        .fill(nested('[', ']', 40))
        .join()}]`,
      22,
    ],
    ['empty objects', `[${Array(20_000).fill('{}').join()}]`, 12],
    ['members', `{${Array.from({ length: 20_000 }, (_, i) => `"${String(i)}":[${String(i)}]`).join()}}`, 22],
    ['one text', `["${'a'.repeat(100_000)}"]`, 2],
    ['one text of escapes', `["${String.raw`\u00e9\n`.repeat(20_000)}"]`, 2],
    [
      'long texts',
      `[${Array(5)
        .fill(`"${'a'.repeat(40_000)}"`)
        .join()}]`,
      4,
    ],
  ])('%s', async (_what, text, turns) => {
    const { json, pauses } = await inTurns(text);
    expect(json).toEqual(readJsonText(text));
    expect(pauses).toBe(turns);
  });

  it('and a short one is not', async () => {
    expect(await inTurns(`[${Array(2_000).fill('[]').join()}]`)).toMatchObject({ pauses: 0 });
  });

  it('with the problem that it has, at its place', async () => {
    const text = `[${Array(20_000).fill('{}').join()},]`;
    const problem = `Unexpected text at ${String(text.length - 1)}`;
    expect(() => readJsonText(text)).toThrow(problem);
    await expect(inTurns(text)).rejects.toThrow(problem);
    const many = bytes(`[${Array(20_000).fill('1').join()}]`);
    await expect(readJsonInTurns(many, () => Promise.resolve(), { maxValues: 10_000 })).rejects.toThrow('Too many values');
    await expect(readJsonInTurns(many, () => Promise.resolve(), { maxValues: 22_000 })).resolves.toHaveLength(20_000);
    await expect(readJsonInTurns(Buffer.from([0xff]), () => Promise.resolve())).rejects.toThrow(JsonSyntaxError);
  });

  it.each([
    ['in a value', '["a\\u0000b","\\\\u0000"]', '["ab","\\\\u0000"]'],
    ['in a name', '{"\\u0000a":1}', '{"a":1}'],
    ['in a string of many', `["${'\\u0000'.repeat(20_000)}"]`, '[""]'],
  ])('removes NUL %s where it may', async (_where, text, read) => {
    const json = await readJsonInTurns(bytes(text), () => Promise.resolve(), { removesNul: true });
    expect(printJson(json)).toBe(read);
  });

  it.each(['{"a":1,"\\u0000a":2}', '["\\ud83d\\u0000\\ude00"]', '["\\u000"]', '["a\u0000"]'])(
    'refuses what removing NUL does not make right: %j',
    async (text) => {
      const read = readJsonInTurns(bytes(text), () => Promise.resolve(), { removesNul: true });
      await expect(read).rejects.toThrow(JsonSyntaxError);
    },
  );
});
