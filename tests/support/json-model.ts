import fc from 'fast-check';

/**
 * JSON as a test builds it, apart from any reader or printer of ours: a value knows how it is spelt when it is sent, with
 * escapes and blanks where they may stand, and how it must read when it has been relayed.
 */
export interface Spelt {
  /** As sent. */
  readonly sent: string;
  /** As it must leave: members in order, number text kept, strings decoded and printed without needless escapes. */
  readonly left: string;
}

const blanks = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n ');

/** A code point that is no surrogate. */
const scalar = fc.oneof(fc.integer({ min: 1, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }));

const characters = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 6 }) },
  { weight: 2, arbitrary: fc.array(scalar, { minLength: 1, maxLength: 3 }).map((points) => String.fromCodePoint(...points)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('"', '\\', '/', '\b', '\f', '\n', '\r', '\t', '\u0001', '\u001f', '\u007f', '\u2028', '\u{1f600}'),
  },
);

/** One character as an escape: the short one where there is one and it is wanted, else in hexadecimal. */
function escaped(character: string, isShort: boolean): string {
  const short = { '"': '\\"', '\\': '\\\\', '/': '\\/', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character];
  if (isShort && short !== undefined) return short;
  return Array.from({ length: character.length }, (_none, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
}

const mustEscape = (character: string): boolean => character < ' ' || character === '"' || character === '\\';

/** Any text without NUL, each of its characters spelt out or escaped as chance has it; 250 characters at most. */
const spell = (text: string, choices: readonly number[]): Spelt => {
  const parts = [...text].filter((character) => character !== '\0');
  const spelling = parts.map((character, i) => {
    const choice = choices[i % choices.length] ?? 0;
    return choice < 8 && !mustEscape(character) ? character : escaped(character, choice % 2 === 0);
  });
  return { sent: `"${spelling.join('')}"`, left: JSON.stringify(parts.join('')) };
};

const choices = fc.array(fc.nat(9), { minLength: 1, maxLength: 5 });
export const text: fc.Arbitrary<Spelt> = fc
  .tuple(fc.array(characters, { maxLength: 5 }), choices)
  .map(([parts, chosen]) => spell(parts.join(''), chosen));

const same = (sent: string): Spelt => ({ sent, left: sent });
const digits = fc.stringMatching(/^[0-9]{1,25}$/);
/** Any number text of the grammar: far beyond what a binary float holds. */
const anyNumber = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,24}$/)),
    fraction: fc.option(digits, { nil: undefined }),
    exponent: fc.option(fc.stringMatching(/^[eE][+-]?[0-9]{1,4}$/), { nil: '' }),
  })
  .map(({ sign, whole, fraction, exponent }) => same(`${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${exponent}`));

const names = fc.oneof(
  { weight: 4, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', '0', '10', '2', '', 'é').map((name) => spell(name, [0])),
  },
);

type Member = readonly [Spelt, Spelt, string];

/** Members in order, with blanks around them; of two with one name the first is kept. */
export function object(members: readonly Member[]): Spelt {
  const seen = new Set<string>();
  const kept = members.filter(([name]) => !seen.has(name.left) && seen.add(name.left));
  const sent = kept.map(([name, value, blank]) => `${blank}${name.sent}${blank}:${blank}${value.sent}`).join(',');
  return { sent: `{${sent}}`, left: `{${kept.map(([name, value]) => `${name.left}:${value.left}`).join(',')}}` };
}

export const list = (items: readonly Spelt[]): Spelt => ({
  sent: `[ ${items.map(({ sent }) => sent).join(' ,')} ]`,
  left: `[${items.map(({ left }) => left).join(',')}]`,
});

/** Anything at all. */
export const anything: fc.Arbitrary<Spelt> = fc.letrec<{ value: Spelt }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false').map(same),
    anyNumber,
    text,
    fc.array(tie('value'), { maxLength: 4 }).map(list),
    fc.array(fc.tuple(names, tie('value'), blanks), { maxLength: 5 }).map(object),
  ),
})).value;

export const anyObject: fc.Arbitrary<Spelt> = fc.array(fc.tuple(names, anything, blanks), { maxLength: 6 }).map(object);

/** Members named here with values of their own kind, any of them absent or null, among others that nobody knows; in any order. */
export const objectWith = (
  required: Record<string, fc.Arbitrary<Spelt>>,
  optional: Record<string, fc.Arbitrary<Spelt>>,
): fc.Arbitrary<Spelt> => {
  const known = new Set([...Object.keys(required), ...Object.keys(optional)].map((name) => JSON.stringify(name)));
  const member = (name: string, value: fc.Arbitrary<Spelt>) => fc.tuple(fc.constant(spell(name, [0])), value, blanks);
  const orNull = (value: fc.Arbitrary<Spelt>) =>
    fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(same('null')) });
  const others = fc.array(fc.tuple(names, anything, blanks), { maxLength: 4 });
  return fc
    .tuple(
      fc.tuple(...Object.entries(required).map(([name, value]) => member(name, value))),
      fc.tuple(...Object.entries(optional).map(([name, value]) => fc.option(member(name, orNull(value)), { nil: undefined }))),
      others,
    )
    .chain(([needed, wanted, unknown]) => {
      const own = [...needed, ...wanted.filter((one) => one !== undefined)];
      const all = [...own, ...unknown.filter(([name]) => !known.has(name.left))];
      return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }).map(object);
    });
};

/** A decimal of the contract that is not negative: text in plain notation or a number, perhaps with an exponent. */
export const amount: fc.Arbitrary<Spelt> = fc.oneof(
  fc.stringMatching(/^(0|[1-9][0-9]{0,17})(\.[0-9]{1,2})?$/).map((plain) => same(`"${plain}"`)),
  fc.stringMatching(/^(0|[1-9][0-9]{0,17})(\.[0-9]{1,2}0{0,3})?$/).map(same),
  fc.stringMatching(/^[1-9](\.[0-9]{1,5})?[eE]\+?([3-9]|1[0-9])$/).map(same),
  fc.stringMatching(/^[1-9][0-9]{0,5}[eE]-[12]$/).map(same),
);

/** A decimal from -89.9… to 89.9…, with at most 15 digits after the point. */
export const coordinate: fc.Arbitrary<Spelt> = fc
  .tuple(fc.stringMatching(/^-?[1-8]?[0-9](\.[0-9]{1,15})?$/), fc.boolean())
  .map(([plain, asText]) => same(asText ? `"${plain}"` : plain));

export const flag: fc.Arbitrary<Spelt> = fc.constantFrom('true', 'false').map(same);
export const whole: fc.Arbitrary<Spelt> = fc.nat().map((n) => same(String(n)));
