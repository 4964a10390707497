import type { TextOf } from './growth';
import { matchesOf } from './near-matches';

/** What strangers send in runs, whatever reads it. */
const runs = [
  ' ',
  '\t',
  '\n',
  '0',
  '1',
  'a',
  'A',
  '\\',
  '"',
  "'",
  '`',
  '=',
  '/',
  '.',
  ',',
  ';',
  ':',
  '-',
  '_',
  '@',
  '%',
  '?',
  '&',
  '*',
  '“',
  'é',
];
const pieces = ['[', ']', '{', '(', '<', '![', '[[', '](', '"a"', 'a.', 'a,', '\\"', '%00', '0.', ' a', '\r\n', '\ud800'];
/** What an expression cannot match, mostly: it then looks for another way. */
const ends = ['', '\0', '!', 'x', '\n'];

/** Texts for any expression. */
const anyText: readonly TextOf[] = [...runs, ...pieces].flatMap((piece) =>
  ends.map(
    (end): TextOf =>
      (length) =>
        piece.repeat(Math.ceil(length / piece.length)) + end,
  ),
);

/** Texts for one expression: those for any, and what it nearly matches, with one character of a match in a long run. */
export const textsFor = (expression: RegExp): readonly TextOf[] => [...anyText, ...nearMatches(expression)];

function nearMatches(expression: RegExp): TextOf[] {
  return matchesOf(expression).flatMap((match) => {
    const each = new Set([...match].map((character) => match.indexOf(character)));
    return [...each].slice(0, 16).flatMap((at) =>
      ['\0', '!'].map(
        (end): TextOf =>
          (length) =>
            match.slice(0, at) + match.charAt(at).repeat(Math.max(1, length - match.length)) + match.slice(at) + end,
      ),
    );
  });
}
