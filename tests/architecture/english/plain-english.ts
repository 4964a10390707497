import ts from 'typescript';
import type { SourceFile } from '../source-files';

/** Constructions that hide who does what: headless relatives, passives without a subject, dead idioms. */
const turns = [
  'in the place of',
  'by turns',
  '(?:is|are|was|were|be) told(?! apart)',
  '(?:of|by|to|for|from|with) whom',
  '(?:of|at|to) which',
  'who (?:is|was|has|have) \\w+ed\\b',
  'what (?:is|was|were|comes|came) (?!a |the |your )',
  '(?:is|are|was|were) looked (?:at|into|after)',
  '(?:go|goes|went) the way of',
];
const turn = new RegExp(`\\b(?:${turns.join('|')})`, 'gi');

/** Lets a sentence pass; stands in its comment or before its paragraph, with the reason why it is right. */
const exempt = /plain-english: \S/;

/** A comment or a paragraph: its words, and the line on which each begins. */
interface Passage {
  readonly text: string;
  readonly lineAt: (offset: number) => number;
}

/** Turns of phrase that no comment or document has, as `path:line: words`. */
export function turnsIn(file: SourceFile): string[] {
  const passages = file.path.endsWith('.md') ? paragraphsIn(file.text) : commentsIn(file);
  return passages
    .filter(({ text }) => !exempt.test(text))
    .flatMap(({ text, lineAt }) =>
      [...text.matchAll(turn)].map((found) => `${file.path}:${String(lineAt(found.index))}: ${surrounding(text, found.index)}`),
    );
}

const surrounding = (text: string, at: number): string => text.slice(Math.max(0, at - 40), at + 60).trim();

/** Of lines that belong together, the marks at their beginnings taken off. */
function passageOf(lines: readonly string[], firstLine: number): Passage {
  const starts: number[] = [];
  let text = '';
  for (const line of lines) {
    starts.push(text.length);
    text += `${line
      .replace(/`[^`]*`/g, blank)
      .replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/|#)?\s?/, '')
      .replace(/\*\/\s*$/, '')
      .trim()} `;
  }
  return { text, lineAt: (offset) => firstLine + starts.findLastIndex((start) => start <= offset) };
}

/** Prose and tables of a Markdown page; fences, and what a generator writes between its marks, are left out. */
function paragraphsIn(text: string): Passage[] {
  const kept = text.replace(/^ *```[^]*?^ *```$/gm, blank).replace(/^<!-- (\w+) -->$[^]*?^<!-- end of \1 -->$/gm, blank);
  return blocksOf(kept.split('\n'), (line) => line.trim() !== '');
}

const blank = (found: string): string => found.replace(/[^\n]/g, ' ');

/** Comments of a script, or of a configuration whose comments begin with `#`; those right below one another are one. */
function commentsIn({ path, text }: SourceFile): Passage[] {
  const lines = text.split('\n');
  if (!/\.(?:tsx?|cjs|mjs)$/.test(path)) return blocksOf(lines, (line) => /^\s*#/.test(line));
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const comments = lines.map(() => '');
  for (const [pos, end] of commentRanges(source)) {
    const first = source.getLineAndCharacterOfPosition(pos).line;
    for (const [i, line] of text.slice(pos, end).split('\n').entries()) comments[first + i] = line;
  }
  return blocksOf(comments, (line) => line !== '');
}

/** Where each comment begins and ends. */
function commentRanges(source: ts.SourceFile): Map<number, number> {
  const ranges = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) return;
    const surrounding = [
      ...(ts.getLeadingCommentRanges(source.text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(source.text, node.end) ?? []),
    ];
    for (const { pos, end } of surrounding) ranges.set(pos, end);
    for (const child of node.getChildren(source)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(source);
  return ranges;
}

/** Lines next to one another that belong to a passage. */
function blocksOf(lines: readonly string[], belongs: (line: string) => boolean): Passage[] {
  const blocks: { first: number; lines: string[] }[] = [];
  let isOpen = false;
  lines.forEach((line, i) => {
    const last = blocks.at(-1);
    if (belongs(line)) {
      if (isOpen && last) last.lines.push(line);
      else blocks.push({ first: i + 1, lines: [line] });
    }
    isOpen = belongs(line);
  });
  return blocks.map(({ first, lines: own }) => passageOf(own, first));
}
