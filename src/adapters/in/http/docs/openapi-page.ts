import { escaped, renderInline, renderMarkdown, slugOf } from './markdown';
import { methodsOf, type Member, membersOf, type ReadDocument, type ReadOperation, resolved, typeOf } from './read-document';

/** One link of the navigation. */
export interface NavEntry {
  readonly href: string;
  readonly text: string;
  readonly method?: string;
}

/** The navigation beside a page, grouped under headings. */
export type Nav = readonly { readonly heading: string; readonly entries: readonly NavEntry[] }[];

const tagsOf = (document: ReadDocument) => document.tags.map(({ name }) => name);

/** The navigation of an OpenAPI document. */
export function navOf(document: ReadDocument): Nav {
  return tagsOf(document).map((tag) => ({
    heading: tag,
    entries: methodsOf(document)
      .filter(({ operation }) => operation.tags.includes(tag))
      .map(({ method, operation }) => ({ href: `#${operation.operationId}`, text: operation.summary, method })),
  }));
}

/** Renders an OpenAPI document: its introduction and every operation. */
export function documentBody(document: ReadDocument, name: string): string {
  const download = `<p class="quiet"><a href="/openapi/${name}.json">OpenAPI 3.1 document</a></p>`;
  const sections = document.tags.map(({ name: tag, description }) => {
    const operations = methodsOf(document).filter(({ operation }) => operation.tags.includes(tag));
    const shown = operations.map((one) => operationHtml(document, one)).join('\n');
    return `<section><h2 id="tag-${slugOf(tag)}">${escaped(tag)}</h2><p>${renderInline(description)}</p>${shown}</section>`;
  });
  return `<h1>${escaped(document.info.title.replace(/^Pierhead: /, ''))}</h1>${renderMarkdown(document.info.description)}${download}${sections.join('\n')}`;
}

interface ListedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: ReadOperation;
}

function operationHtml(document: ReadDocument, { method, path, operation }: ListedOperation): string {
  const { operationId: id, summary, description, parameters = [], requestBody } = operation;
  const prefix = document.servers[0]?.url.replace('{base}', '') ?? '';
  const rows = parameters.map((one) => ({ ...one, location: one.in }));
  return `<article id="${id}" class="call">
<h3><a href="#${id}">${escaped(summary)}</a></h3>
<p class="at"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escaped(prefix + path)}</code></p>
${description === undefined ? '' : renderMarkdown(description)}
${whoOf(operation)}
${
  rows.length === 0
    ? ''
    : `<h4>Parameters</h4>${memberTable(
        rows.map((row) => ({
          name: row.name,
          required: row.required === true,
          schema: { ...row.schema, description: row.description ?? '' },
          note: row.location,
        })),
        document,
      )}`
}
${requestBody === undefined ? '' : bodyHtml(document, requestBody, 'Body')}
<h4>Answers</h4>
${answersHtml(document, operation)}
</article>`;
}

function whoOf({ security, 'x-audience': audience }: ReadOperation): string {
  if (audience !== undefined)
    return `<p class="quiet">For ${audience.map((role) => `<span class="chip">${escaped(role)}</span>`).join(' ')}</p>`;
  const schemes = security.map((all) => Object.keys(all).join(' + ') || 'nothing, or the allowlist');
  return `<p class="quiet">Proof: ${schemes.map((scheme) => `<span class="chip">${escaped(scheme)}</span>`).join(' or ')}</p>`;
}

type Content = ReadOperation['requestBody'] & object;

function bodyHtml(document: ReadDocument, { content = {} }: Content, heading: string): string {
  return Object.entries(content)
    .map(([type, { schema = {}, example }]) => {
      const table = memberTable(membersOf(document, schema), document);
      const kind = typeOf(schema);
      const shown =
        example === undefined
          ? ''
          : `<details class="example"><summary>Example</summary><pre tabindex="0"><code>${escaped(JSON.stringify(example, undefined, 2))}</code></pre></details>`;
      return `<h4>${heading} <span class="quiet">${escaped(type)}${table === '' ? `, ${kind}` : ''}</span></h4>${table}${shown}`;
    })
    .join('');
}

function answersHtml(document: ReadDocument, { responses }: ReadOperation): string {
  return Object.entries(responses)
    .map(([status, given]) => {
      const answer = resolved(document, given);
      const good = status.startsWith('2') || status === 'default';
      const description = good ? renderMarkdown(answer.description) : refusalsHtml(answer.description);
      const headers = Object.keys(answer.headers ?? {}).filter((name) => name !== 'X-Request-Id');
      const headersLine =
        headers.length === 0 ? '' : `<p class="quiet">Headers: ${headers.map((name) => `<code>${escaped(name)}</code>`).join(', ')}</p>`;
      const body = good ? bodyHtml(document, answer, 'Body') : '';
      return `<details class="answer"${good ? ' open' : ''}><summary><span class="status ${good ? 'good' : 'bad'}">${status}</span>${good ? '' : ` <span class="quiet">${escaped(codesIn(answer.description).join(', '))}</span>`}</summary>${description}${headersLine}${body}</details>`;
    })
    .join('\n');
}

const codesIn = (description: string): string[] => [...description.matchAll(/^`([^`]+)`:/gm)].map(([, code = '']) => code);

/** Links each error code to its entry in the error reference. */
const refusalsHtml = (description: string): string =>
  `<ul>${description
    .split('\n\n')
    .map(
      (line) =>
        `<li>${renderInline(line).replace(/^<code>([^<]+)<\/code>/, (_all, code: string) => `<a href="/docs/errors#${slugOf(code)}"><code>${code}</code></a>`)}</li>`,
    )
    .join('')}</ul>`;

/** Maximum depth of nested members on a page. */
const deepest = 2;

function memberTable(members: readonly Member[], document: ReadDocument, depth = 0): string {
  if (members.length === 0) return '';
  return `<dl class="members">${members.map((member) => memberHtml(member, document, depth)).join('')}</dl>`;
}

function memberHtml({ name, required, schema, note }: Member, document: ReadDocument, depth: number): string {
  const inner = depth < deepest ? memberTable(membersOf(document, schema), document, depth + 1) : '';
  const notes = [typeOf(schema), note].filter((one) => one !== undefined && one !== '').join(', ');
  const below = inner === '' ? '' : `<details><summary>Members</summary>${inner}</details>`;
  return `<div><dt><code>${escaped(name)}</code>${required ? ' <span class="required">required</span>' : ''} <span class="quiet">${escaped(notes)}</span></dt><dd>${renderInline(schema.description ?? '')}${below}</dd></div>`;
}
