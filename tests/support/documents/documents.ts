import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The top of the project. */
export const root = join(__dirname, '../../..');

/** A fenced sample of a document: its language, and after a blank how it is checked. */
export interface Fence {
  readonly document: string;
  /** Of its first fence mark, from 1. */
  readonly line: number;
  /** Such as `sh`, `sh cli` or `json output`. */
  readonly kind: string;
  /** The file that the sample shows, from the top, where its first line says `file=…`; its kind then ends in ` file`. */
  readonly file?: string;
  readonly text: string;
}

/** What a document says that one call answers with: a status, and a code where it names one. */
export interface StatedAnswer {
  /** The line of the sample, to be found by. */
  readonly line: string;
  /** `2xx` where nothing is said. */
  readonly status: string;
  readonly code: string | undefined;
}

/** The README and every page under docs, by their path from the top. */
export const documents = (): string[] => ['README.md', ...pagesBelow('docs')];

function pagesBelow(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const pages = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.md')).map(({ name }) => `${folder}/${name}`);
  const below = entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => pagesBelow(`${folder}/${name}`));
  return [...pages, ...below].sort();
}

export const textOf = (document: string): string => readFileSync(join(root, document), 'utf8');

/** The fenced samples of a document, in order, indented ones too. */
export function fencesOf(document: string): Fence[] {
  const fences: Fence[] = [];
  let open: { line: number; kind: string; indent: string; lines: string[] } | undefined;
  for (const [index, line] of textOf(document).split('\n').entries()) {
    const [, indent = '', kind = ''] = /^( *)```(.*)$/.exec(line) ?? [];
    if (!/^ *```/.test(line)) open?.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    else if (open === undefined) open = { line: index + 1, kind: kind.trim(), indent, lines: [] };
    else {
      const [, kind = '', file] = /^(.*?)(?:=(\S+))?$/.exec(open.kind) ?? [];
      fences.push({ document, line: open.line, kind, ...(file && { file }), text: open.lines.map((one) => `${one}\n`).join('') });
      open = undefined;
    }
  }
  if (open) throw new Error(`${document}:${String(open.line)} is never closed`);
  return fences;
}

/** All samples of one kind, over all documents. */
export const fencesOfKind = (...kinds: readonly string[]): Fence[] =>
  documents()
    .flatMap(fencesOf)
    .filter(({ kind }) => kinds.includes(kind));

/** Where a sample stands, as editors open it. */
export const locationOf = ({ document, line }: Fence): string => `${document}:${String(line)}`;

/** The commands of a shell sample, comments and continued lines taken care of. */
export const commandsOf = ({ text }: Fence): string[] =>
  text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#\s.*$/, '').trim())
    .filter((line) => line !== '');

/** One for each call of the script, in the order in which a shell makes them. */
export function statedAnswers(script: string): StatedAnswer[] {
  return script.split('\n').flatMap((line) => {
    const calls = line.match(/\bcurl -/g)?.length ?? 0;
    const [, status = '2xx', code] = /\s# (\d{3})(?: ([A-Z_]+))?/.exec(line) ?? [];
    return Array.from({ length: calls }, (_, i) => {
      return i === calls - 1 ? { line, status, code } : { line, status: '2xx', code: undefined };
    });
  });
}

/** Links of a document that lead nowhere: a file that is not there, or a heading that no page has. */
export function brokenLinks(document: string): string[] {
  const prose = textOf(document).replace(/^ *```[^]*?^ *```$/gm, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(([, link, source]) => link ?? source ?? '');
  return links.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(document, link));
}

function leadsSomewhere(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(document, '..', path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || !target.endsWith('.md') || anchorsOf(target).includes(anchor);
}

/** The anchors of a page's headings, as they are made where the page is shown. */
export const anchorsOf = (document: string): string[] =>
  [...textOf(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
