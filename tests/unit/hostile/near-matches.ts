import { parseRegExpLiteral, type AST } from '@eslint-community/regexpp';

/** What may stand for a class of characters: the first of them that it holds. */
const candidates = [...'a0 A.-_/="\\\'`:,;@%?&*[]{}()<>+!#~|^$\n\t\r\0éÿĀ“⟨\ufeff\ud83d'];

/** Texts that an expression matches, or all but its assertions: one of all first alternatives, one of all last ones. */
export function matchesOf(expression: RegExp): readonly string[] {
  const { pattern } = parseRegExpLiteral(expression);
  return [...new Set([matchOf(pattern.alternatives, 0), matchOf(pattern.alternatives, -1)])];
}

const matchOf = (alternatives: readonly AST.Alternative[], which: 0 | -1): string =>
  (alternatives.at(which)?.elements ?? []).map((element) => textOf(element, which)).join('');

function textOf(element: AST.Element | AST.QuantifiableElement, which: 0 | -1): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value);
    case 'CharacterClass':
    case 'CharacterSet':
      return memberOf(element.raw);
    case 'Group':
    case 'CapturingGroup':
      return matchOf(element.alternatives, which);
    case 'Quantifier':
      return textOf(element.element, which).repeat(Math.min(20, Math.max(1, element.min)));
    default:
      return '';
  }
}

function memberOf(raw: string): string {
  const one = new RegExp(raw, /\\p|\\u\{/.test(raw) ? 'us' : 's');
  return candidates.find((candidate) => one.test(candidate)) ?? '';
}
