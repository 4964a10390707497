import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { anchorsOf, root } from '../../support/documents/documents';
import type { SourceFile } from '../source-files';

/** `contract/page#heading` is that heading of docs/contract/page.md. */
const citation = /(?<![\w/-])contract\/([a-z-]+)#([\w-]*)/g;

/** A page alone leads to no heading. In quotes it is a path. */
const pageAlone = /(?<![\w/'"`-])contract\/[a-z-]+(?![#.]?[\w/-])/g;

/** Forms that lead nowhere: pages and numbers that are not in the repository. A time has a digit before its T, or a colon behind. */
const foreign = new RegExp(
  [
    String.raw`\b[Dd]ecisions? §`,
    String.raw`\b(?:decisions|interface|manage)\.md\b`,
    String.raw`\(contract,|\bSource: contract[,;]`,
    String.raw`(?<![\w}])T\d{1,2}(?![\w:])`,
    String.raw`[(;] ?§`,
  ].join('|'),
);

const anchors = new Map<string, readonly string[]>();

function anchorsIn(page: string): readonly string[] {
  const document = `docs/contract/${page}.md`;
  const known = anchors.get(page) ?? (existsSync(join(root, document)) ? anchorsOf(document) : []);
  anchors.set(page, known);
  return known;
}

/** Citations of the contract that lead to no heading of it, and those of pages that are not in the repository; each with its line. */
export function citationProblems({ path, text }: SourceFile): string[] {
  return text.split('\n').flatMap((line, index) => {
    const location = `${path}:${String(index + 1)}`;
    const lost = [...line.matchAll(citation)].filter(([, page = '', anchor = '']) => !anchorsIn(page).includes(anchor));
    const nowhere = foreign.exec(line);
    return [...lost, ...line.matchAll(pageAlone), ...(nowhere ? [nowhere] : [])].map(([found]) => `${location}: ${found}`);
  });
}
