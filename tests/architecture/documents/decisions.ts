import type { SourceFile } from '../source-files';

/** An architecture decision record, as its page or the index has it; a wrong part is absent. */
export interface Decision {
  readonly number: string;
  readonly title: string | undefined;
  /** `accepted` or `superseded by NNN`, with a date. */
  readonly status: string | undefined;
}

const statusForm = /^Status: (accepted|superseded by \[(\d{3})\]\(\2-[a-z0-9-]+\.md\)), (\d{4}-\d\d-\d\d)(?=[.;]|$)/m;

/** Reads a page of docs/adr. */
export function decisionOf({ path, text }: SourceFile): Decision {
  const [, number = ''] = /\/(\d{3})-[a-z0-9-]+\.md$/.exec(path) ?? [];
  const [, heading, title] = /^# (\d{3})\. (.+)\n/.exec(text) ?? [];
  const [, word, successor, date] = statusForm.exec(text) ?? [];
  const status = successor === undefined ? word : `superseded by ${successor}`;
  return {
    number,
    title: heading === number ? title : undefined,
    status: status === undefined || date === undefined ? undefined : `${status}, ${date}`,
  };
}

/** Reads the table of the index. */
export const indexedIn = (text: string): Decision[] =>
  [...text.matchAll(/^\| \[(\d{3})\]\(\1-[a-z0-9-]+\.md\) *\| (.+?) *\| (.+?) *\|$/gm)].map(([, number = '', title, status]) => ({
    number,
    title,
    status: status?.replace(/\[(\d{3})\]\([^)]+\)/, '$1'),
  }));
