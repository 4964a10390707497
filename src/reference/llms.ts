import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApiDocument } from './description';

interface Guide {
  readonly path: string;
  readonly title: string;
  readonly description: string;
}

/** The guides by name, with heading and first sentence. */
export function guidesIn(root: string): readonly Guide[] {
  return readdirSync(join(root, 'docs/guides'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(root, 'docs/guides', name), 'utf8');
      const [, title = name] = /^# (.+)$/m.exec(text) ?? [];
      const [, paragraph = ''] = /^# .+\n\n(.+)$/m.exec(text) ?? [];
      return { path: `/docs/guides/${name}`, title, description: firstSentence(paragraph) };
    });
}

/** The pages of the contract, from the table of its first page. */
export function contractPagesIn(root: string): readonly Guide[] {
  const table = readFileSync(join(root, 'docs/contract/README.md'), 'utf8');
  return [...table.matchAll(/^\| \[([^\]]+)\]\(([a-z-]+\.md)\) +\| ([^|]+)\|$/gm)].map(([, title = '', name = '', description = '']) => ({
    path: `/docs/contract/${name}`,
    title,
    description: `${description.charAt(0).toUpperCase()}${description.slice(1).trim()}.`,
  }));
}

const firstSentence = (paragraph: string): string =>
  (/^.*?[.:](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph).replace(/:$/, '.').replace(/\[([^[\]]*)\]\([^)]*\)/g, '$1');

const firstLine = (document: OpenApiDocument): string => String(document.info['summary']);

/** The index of all documents for readers of plain text (llms.txt). Its links are the service's own. */
export function renderLlms(root: string, documents: Readonly<Record<string, OpenApiDocument>>): string {
  const link = (title: string, path: string, description: string): string => `- [${title}](${path}): ${description}`;
  return `# Pierhead

> A self-hosted service between the back ends of super apps (host apps) and third-party miniapps: single sign-on, payments, events, analytics, and the credentials of both directions.

Partners call \`/api/v1/\`; operators, and partners for themselves, \`/manage/v1/\`. The service calls the URLs that partners store. Host apps are known by \`client_id\`, miniapps by \`app_id\`; an integration is the agreement between two of them. Refusals under \`/api/v1/\` carry an \`error_code\`, those under \`/manage/v1/\` are problem documents (RFC 9457).

## Contract

- [The contract](/docs/contract/README.md): What each side can rely on, and how the pages say what Pierhead decided by itself.
${contractPagesIn(root)
  .map(({ title, path, description }) => link(title, path, description))
  .join('\n')}

## Guides

${guidesIn(root)
  .map(({ title, path, description }) => link(title, path, description))
  .join('\n')}

## Reference

${Object.entries(documents)
  .map(([name, document]) => link(`OpenAPI: ${name}`, `/openapi/${name}.json`, firstLine(document)))
  .join('\n')}
- [Error codes](/docs/reference/errors.md): Every code, why it comes, who acts, and how to end it.

## Calls of the API

${callsOf(documents['api'])}

## Calls of the manage API

${callsOf(documents['manage'])}
`;
}

const callsOf = (document: OpenApiDocument | undefined): string =>
  Object.entries(document?.paths ?? {})
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .map(({ path, method, operation }) => `- \`${method.toUpperCase()} ${path}\` ${(operation as { summary: string }).summary}`)
    .join('\n');
