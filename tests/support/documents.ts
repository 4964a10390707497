import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** What a document says that one call answers with: a status, and a code where it names one. */
export interface StatedAnswer {
  /** The line of the sample, to be found by. */
  readonly line: string;
  /** `2xx` where nothing is said. */
  readonly status: string;
  readonly code: string | undefined;
}

/** The README and the guides, by their path from the top. */
export const documents = (): string[] => ['README.md', ...readdirSync(join(root, 'docs/guides')).map((name) => join('docs/guides', name))];

/**
 * The shell samples of a document in one script: its ```sh blocks but those that install, build or start something. A line
 * may end in a comment such as `# 400 ORDER_NOT_FOUND`: what its last call answers with.
 */
export function samplesOf(document: string): string {
  const text = readFileSync(join(root, document), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  return blocks.filter((block) => !/\bnpm\b/.test(block)).join('');
}

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
