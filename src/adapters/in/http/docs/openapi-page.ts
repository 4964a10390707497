import { escaped, renderInline, renderMarkdown, slugOf } from './markdown';
import { methodsOf, type Member, membersOf, type ReadDocument, type ReadOperation, resolved, typeOf } from './read-document';

/** One entry of the list beside a page. */
export interface NavEntry {
  readonly href: string;
  readonly text: string;
  readonly method?: string;
}

/** The list beside a page, under headings. */
export type Nav = readonly { readonly heading: string; readonly entries: readonly NavEntry[] }[];

const tagsOf = (document: ReadDocument) => document.tags.map(({ name }) => name);

/** What the list beside a document leads to. */
export function navOf(document: ReadDocument): Nav {
  return tagsOf(document).map((tag) => ({
    heading: tag,
    entries: methodsOf(document)
      .filter(({ operation }) => operation.tags.includes(tag))
      .map(({ method, operation }) => ({ href: `#${operation.operationId}`, text: operation.summary, method })),
  }));
}

/** A document as HTML: what it says of itself, and every operation. */
export function documentBody(document: ReadDocument, name: string): string {
  const download = `<p class="quiet"><a href="/openapi/${name}.json">OpenAPI 3.1 document</a></p>`;
  const sections = document.tags.map(({ name: tag, description }) => {
    const operations = methodsOf(document).filter(({ operation }) => operation.tags.includes(tag));
    const shown = operations.map((one) => operationHtml(document, one)).join('\n');
    return `<section><h2 id="tag-${slugOf(tag)}">${escaped(tag)}</h2><p>${renderInline(description)}</p>${shown}</section>`;
  });
  return `<h1>${escaped(document.info.title.replace(/^Pierhead: /, ''))}</h1>${renderMarkdown(document.info.description)}${download}${sections.join('\n')}`;
}

interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: ReadOperation;
}

function operationHtml(document: ReadDocument, { method, path, operation }: Placed): string {
  const { operationId: id, summary, description, parameters = [], requestBody } = operation;
  const prefix = document.servers[0]?.url.replace('{base}', '') ?? '';
  const rows = parameters.map((one) => ({ ...one, place: one.in }));
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
          note: row.place,
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
  const ways = security.map((all) => Object.keys(all).join(' + ') || 'nothing, or the allowlist');
  return `<p class="quiet">Proof: ${ways.map((way) => `<span class="chip">${escaped(way)}</span>`).join(' or ')}</p>`;
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
      const says = good ? renderMarkdown(answer.description) : refusalsHtml(answer.description);
      const headers = Object.keys(answer.headers ?? {}).filter((name) => name !== 'X-Request-Id');
      const told =
        headers.length === 0 ? '' : `<p class="quiet">Headers: ${headers.map((name) => `<code>${escaped(name)}</code>`).join(', ')}</p>`;
      const body = good ? bodyHtml(document, answer, 'Body') : '';
      return `<details class="answer"${good ? ' open' : ''}><summary><span class="status ${good ? 'good' : 'bad'}">${status}</span>${good ? '' : ` <span class="quiet">${escaped(codesIn(answer.description).join(', '))}</span>`}</summary>${says}${told}${body}</details>`;
    })
    .join('\n');
}

const codesIn = (description: string): string[] => [...description.matchAll(/^`([^`]+)`:/gm)].map(([, code = '']) => code);

/** Each code leads to its place in the error reference. */
const refusalsHtml = (description: string): string =>
  `<ul>${description
    .split('\n\n')
    .map(
      (line) =>
        `<li>${renderInline(line).replace(/^<code>([^<]+)<\/code>/, (_all, code: string) => `<a href="/docs/errors#${slugOf(code)}"><code>${code}</code></a>`)}</li>`,
    )
    .join('')}</ul>`;

/** How deep members of members are shown. */
const deepest = 2;

function memberTable(members: readonly Member[], document: ReadDocument, depth = 0): string {
  if (members.length === 0) return '';
  return `<dl class="members">${members.map((member) => memberHtml(member, document, depth)).join('')}</dl>`;
}

function memberHtml({ name, required, schema, note }: Member, document: ReadDocument, depth: number): string {
  const inner = depth < deepest ? memberTable(membersOf(document, schema), document, depth + 1) : '';
  const facts = [typeOf(schema), note].filter((one) => one !== undefined && one !== '').join(', ');
  const below = inner === '' ? '' : `<details><summary>Members</summary>${inner}</details>`;
  return `<div><dt><code>${escaped(name)}</code>${required ? ' <span class="required">required</span>' : ''} <span class="quiet">${escaped(facts)}</span></dt><dd>${renderInline(schema.description ?? '')}${below}</dd></div>`;
}
