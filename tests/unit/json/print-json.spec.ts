import fc from 'fast-check';
import { JsonNumber, JsonObject, type Json } from '../../../src/domain/shared/json';
import { readJson, readJsonText } from '../../../src/domain/shared/read-json';
import { jsonEquals, printJson, printJsonInTurns } from '../../../src/domain/shared/print-json';

describe('a long text is printed in turns', () => {
  const [compact, spaced, sorted, ascii] = [{}, { spaces: true }, { sortKeys: true }, { ascii: true }];
  it.each([
    ['numbers', `[${Array(20_000).fill('1').join()}]`, compact, 10],
    ['numbers with blanks', `[${Array(20_000).fill('1').join()}]`, spaced, 10],
    ['numbers in ASCII', `[${Array(20_000).fill('1').join()}]`, ascii, 15],
    ['objects', `[${Array(10_000).fill('{"b":1,"a":[]}').join()}]`, compact, 25],
    ['objects with sorted names', `[${Array(10_000).fill('{"b":1,"a":[]}').join()}]`, sorted, 34],
    ['a text that is escaped', `"${'é'.repeat(20_000)}"`, ascii, 3],
    [
      'long texts',
      `[${Array(10)
        .fill(`"${'x'.repeat(20_000)}"`)
        .join()}]`,
      compact,
      4,
    ],
    ['one long text, and only ends after it', `{"b":[1,{"a":"${'x'.repeat(200_000)}"}]}`, compact, 0],
    ['few', '{"b":[1,{"d":2.50,"c":"é"}],"a":{}}', { spaces: true, sortKeys: true, ascii: true }, 0],
  ])('%s', async (_what, text, form, turns) => {
    const json = readJsonText(text);
    let pauses = 0;
    const printed = await printJsonInTurns(json, form, async () => {
      pauses += 1;
    });
    expect([printed, pauses]).toEqual([printJson(json, form), turns]);
  });

  it('the names of a wide object are sorted in a turn of their own', async () => {
    const wide = readJsonText(`[{${Array.from({ length: 2_000 }, (_, i) => `"${String(i)}":1`).join()}}]`);
    let pauses = 0;
    await printJsonInTurns(wide, { sortKeys: true }, async () => {
      pauses += 1;
    });
    expect(pauses).toBe(2);
  });
});

describe('printing', () => {
  const json = readJsonText('{"b":[1,{"d":2.50,"c":"x"}],"a":{}}');

  it('is compact unless told otherwise', () => {
    expect(printJson(json)).toBe('{"b":[1,{"d":2.50,"c":"x"}],"a":{}}');
  });

  it('puts a space after each colon and comma, but none into empty objects', () => {
    expect(printJson(json, { spaces: true })).toBe('{"b": [1, {"d": 2.50, "c": "x"}], "a": {}}');
  });

  it('sorts members at every level, and leaves lists alone', () => {
    expect(printJson(json, { sortKeys: true })).toBe('{"a":{},"b":[1,{"c":"x","d":2.50}]}');
    expect(printJson(json, { sortKeys: true, spaces: true })).toBe('{"a": {}, "b": [1, {"c": "x", "d": 2.50}]}');
  });

  it('sorts by code point, where UTF-16 would not', () => {
    const names = ['\u{10000}', '\uffff', '\ue000', 'é', 'z', 'a', '', 'aa', 'A', '\u{1f600}', '\ud7ff', '10', '2'];
    const printed = printJson(new JsonObject(new Map(names.map((name) => [name, null]))), { sortKeys: true });
    const sorted = ['', '10', '2', 'A', 'a', 'aa', 'z', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}'];
    expect([...(readJsonText(printed) as JsonObject).members.keys()]).toEqual(sorted);
  });

  it('escapes quotes, backslashes and control characters, and nothing else', () => {
    expect(printJson('"\\/\u0000\u001f\u007f\u2028é😀<>&')).toBe('"\\"\\\\/\\u0000\\u001f\u007f\u2028é😀<>&"');
  });

  it('leaves undefined members out of objects made in code', () => {
    expect(printJson(JsonObject.of({ a: undefined, b: null, c: new JsonNumber('1.0') }))).toBe('{"b":null,"c":1.0}');
  });
});

describe('equality', () => {
  it.each([
    ['{"a":1,"b":2}', '{"b":2,"a":1}', true],
    ['{"a":1.0}', '{"a":1}', false],
    ['{"a":"1"}', '{"a":1}', false],
    ['[1,2]', '[2,1]', false],
    ['""', '""', true],
    ['""', 'null', false],
    ['false', 'null', false],
    ['null', 'null', true],
    ['{}', '[]', false],
    ['[]', '{}', false],
    ['[[1]]', '[[1]]', true],
    ['[1]', '[1,2]', false],
    ['{"a":1}', '{"b":1}', false],
    ['{"a":1}', '{"a":1,"b":2}', false],
    ['{"a":{"b":[1,{"c":null}]}}', '{"a":{"b":[1,{"c":null}]}}', true],
    ['{"a":{"b":[1,{"c":null}]}}', '{"a":{"b":[1,{"c":false}]}}', false],
    ['1', 'true', false],
  ])('%s and %s: %s', (a, b, same) => {
    expect(jsonEquals(readJsonText(a), readJsonText(b))).toBe(same);
  });

  it('compares undefined and null as different', () => {
    expect(jsonEquals(undefined, undefined)).toBe(true);
    expect(jsonEquals(undefined, null)).toBe(false);
  });
});

const text = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('a', '"', '\\', '/', '\n', '\u0001', '\u007f', '__proto__', '7'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 12,
  })
  .map((value) => value.replaceAll('\u0000', '0'));
const numberText = fc.stringMatching(/^-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,4})?$/);
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', maxDepth: 12 },
    fc.constantFrom<Json>(null, true, false),
    text,
    numberText.map((digits) => new JsonNumber(digits)),
    fc.array(tie('json'), { maxLength: 6 }),
    fc.array(fc.tuple(text, tie('json')), { maxLength: 6 }).map((members) => new JsonObject(new Map(members))),
  ),
}));

/** The same value spelt otherwise: blanks between tokens and needless escapes, drawn by `draw`. */
function respell(value: Json, draw: () => number): string {
  const blank = (): string => ['', ' ', '\n', '\t ', '\r\n'][draw() % 5] ?? '';
  const spell = (unit: string): string => {
    const escape = `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return draw() % 4 === 0 ? (draw() % 2 ? escape : escape.toUpperCase().replace('\\U', '\\u')) : '';
  };
  const string = (content: string): string => {
    let spelt = '';
    for (const character of content) {
      const units = character.split('').map((unit) => spell(unit));
      spelt += units.every(Boolean) ? units.join('') : JSON.stringify(character).slice(1, -1);
    }
    return `"${spelt}"`;
  };
  const walk = (json: Json): string => {
    const body = (): string => {
      if (typeof json === 'string') return string(json);
      if (json instanceof JsonNumber) return json.text;
      if (json instanceof JsonObject) {
        const members = [...json.members].map(([name, member]) => `${blank()}${string(name)}${blank()}:${walk(member)}`);
        return `{${members.join(',') || blank()}}`;
      }
      return Array.isArray(json) ? `[${(json as Json[]).map(walk).join(',') || blank()}]` : printJson(json);
    };
    return `${blank()}${body()}${blank()}`;
  };
  return walk(value);
}

describe('reading and printing again', () => {
  it('keeps member order, number text and decoded strings, over 2,000 generated bodies', () => {
    fc.assert(
      fc.property(json, fc.infiniteStream(fc.nat(59)), (value, draws) => {
        const spelt = respell(value, () => draws.next().value as number);
        const read = readJson(Buffer.from(spelt));
        expect(read).toEqual(value);
        expect(printJson(read)).toBe(printJson(value));
      }),
      { numRuns: 2_000 },
    );
  });

  it('agrees with JSON.parse wherever that loses nothing', () => {
    fc.assert(
      fc.property(fc.json(), (generated) => {
        const plain = JSON.stringify(JSON.parse(generated));
        fc.pre(!plain.includes('\\u0000'));
        expect(JSON.stringify(JSON.parse(printJson(readJsonText(plain))))).toBe(plain);
      }),
      { numRuns: 500 },
    );
  });

  it('reads each printed form back as the same value', () => {
    fc.assert(
      fc.property(json, fc.boolean(), fc.boolean(), (value, spaces, sortKeys) => {
        expect(jsonEquals(readJsonText(printJson(value, { spaces, sortKeys })), value)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('throws only a JsonSyntaxError for damaged text', () => {
    fc.assert(
      fc.property(json, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 3 }), (value, at, damage) => {
        const bytes = Buffer.from(printJson(value));
        bytes.set(damage.subarray(0, Math.max(0, bytes.length - (at % bytes.length))), at % bytes.length);
        try {
          printJson(readJson(bytes));
        } catch (error) {
          expect((error as Error).name).toBe('JsonSyntaxError');
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
