import { statusOf } from '../../adapters/in/http/error-handler';
import { problemKinds, type ProblemKind } from '../../adapters/in/http/manage/http/problem';
import { catalogue, type Acting, type CatalogueEntry, type ErrorCode } from '../../domain/shared/error-catalogue';
import { errorAdvice } from './error-advice';
import { problemAdvice } from './problem-advice';

const introduction = `# Error codes

<!-- Printed by \`npm run docs:errors\` from src/domain/shared/error-catalogue.ts and src/reference/errors: change it there. -->

A refused or failed call under \`/api/v1/\` is answered with the Error body: \`error_code\` is for programs and stays, \`error_message\` is for people and may change. \`custom_attributes\` says more: \`request_id\` names the call at every party; \`retryable\` says whether the same call, unchanged, may succeed later; \`side\` (\`hostapp\`, \`miniapp\`, \`platform\`) says who caused it and \`step\` in which call to a partner; \`fields\` holds the path of each wrong field and the rule that it breaks; \`setting\` names a setting that is missing or off.

The status follows the cause, so a code can have two. 401 carries \`WWW-Authenticate\`; 429 and 503 carry \`Retry-After\`, in seconds.
`;

const passedThrough = `## Codes of partners

A partner's own \`error_code\`, whatever its status, goes to the caller with 400, in the tables here or not; a missing \`error_message\` is filled in. Of a code that is in no table nothing is known: \`retryable\` is \`false\`. The service itself never gives the codes of this table; they mean the same whoever uses them.
`;

const each = `## Each code, and what to do
`;

const manage = `## Problems of the manage API

The manage API (\`/manage/v1/\`) answers with problem documents (RFC 9457) instead. Their \`type\` is \`urn:pierhead:problem:\` and a kind; it stays.
`;

const acting: Record<Acting, string> = {
  caller: 'the caller: another call, or its own settings',
  partner: 'the partner called: its back end',
  operator: 'the operator: settings, or the service',
};

/** The reference of all error codes as Markdown, in Prettier's format. */
export function renderErrorReference(): string {
  const entries: [string, CatalogueEntry][] = Object.entries(catalogue);
  const own = entries.filter(([, { comesFrom }]) => comesFrom === undefined);
  const passed = entries.flatMap(([code, { comesFrom, meaning, acts }]) =>
    comesFrom === undefined ? [] : [{ code, comesFrom, meaning, acts }],
  );
  return [
    introduction,
    table(
      ['Code', 'Status', 'Meaning', 'Retryable', 'Who acts'],
      own.map(([code, { meaning, retryable, kinds, acts }]) => [
        `\`${code}\``,
        [...new Set(kinds.map((kind) => statusOf[kind]))].join(', '),
        meaning,
        retryable ? 'yes' : 'no',
        acting[acts],
      ]),
    ),
    passedThrough,
    table(
      ['Code', 'Comes from', 'Meaning', 'Who acts'],
      passed.map(({ code, comesFrom, meaning, acts }) => [`\`${code}\``, comesFrom, meaning, acting[acts]]),
    ),
    each,
    ...entries.map(
      ([code, { acts }]) => `### ${code}\n\n${adviceText(errorAdvice[code as ErrorCode])} Who acts: ${acting[acts].split(':')[0] ?? ''}.\n`,
    ),
    manage,
    table(
      ['Kind', 'Status', 'Meaning'],
      Object.entries(problemKinds).map(([kind, [status, title]]) => [`\`${kind}\``, String(status), title]),
    ),
    ...(Object.keys(problemKinds) as ProblemKind[]).map((kind) => `### ${kind}\n\n${adviceText(problemAdvice[kind])}\n`),
  ].join('\n');
}

const adviceText = ({ cause, fix }: { readonly cause: string; readonly fix: string }): string => `${cause} ${fix}`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |\n`;
  return line(head) + line(widths.map((width) => '-'.repeat(width))) + rows.map(line).join('');
}
