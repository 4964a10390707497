/** Escapes HTML. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one] ?? one);

/** The anchor of a heading, as code forges generate it. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** Converts a link of a document to one that works on the rendered page. */
export type LinkTo = (target: string) => string;

const asIs: LinkTo = (target) => target;

/** Renders inline Markdown as HTML: code, links, pictures, strong and emphasised text. */
export function renderInline(text: string, linkTo: LinkTo = asIs): string {
  return text
    .split(/((?<!`)`+[^`]*`+)/)
    .map((part) => (part.startsWith('`') ? `<code>${escaped(part.replace(/^`+ ?| ?(?<!`)`+$/g, ''))}</code>` : renderProse(part, linkTo)))
    .join('');
}

const renderProse = (text: string, linkTo: LinkTo): string =>
  escaped(text)
    .replace(
      /!\[([^[\]]*)\]\(([^)\s]+)\)/g,
      (_all, alt: string, target: string) => `<img src="${linkTo(target)}" alt="${alt}" loading="lazy">`,
    )
    .replace(/\[([^[\]]*)\]\(([^)\s]+)\)/g, (_all, label: string, target: string) => `<a href="${linkTo(target)}">${label}</a>`)
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|[\s(])\*([^*\s][^*]*)\*/g, '$1<em>$2</em>');

/** One kind of Markdown block. `begins` matches its first line. */
interface Block {
  readonly begins: RegExp;
  /** Removes its lines from the front of the list, and returns their HTML. */
  readonly take: (lines: string[], linkTo: LinkTo) => string;
}

const blocks: readonly Block[] = [
  { begins: /^<!--/, take: (lines) => (takeWhile(lines, (line) => !line.includes('-->')), lines.shift(), '') },
  { begins: /^<img /, take: takePictures },
  { begins: /^```/, take: takeCode },
  { begins: /^#{1,6} /, take: takeHeading },
  { begins: /^\|/, take: takeTable },
  { begins: /^\s*(?:[-*]|\d+\.) /, take: takeList },
  {
    begins: /^> /,
    take: (lines, linkTo) =>
      `<blockquote>${inline(
        takeWhile(lines, (line) => line.startsWith('>')),
        linkTo,
        /^> ?/,
      )}</blockquote>`,
  },
  { begins: /\S/, take: takeParagraph },
];

/** Renders the part of Markdown that the guides use as HTML. The documents are trusted, but their text is escaped nevertheless. */
export function renderMarkdown(text: string, linkTo: LinkTo = asIs): string {
  const lines = text.replace(/\r/g, '').split('\n');
  const html: string[] = [];
  while (lines.length > 0) {
    const block = blocks.find(({ begins }) => begins.test(lines[0] ?? ''));
    if (block) html.push(block.take(lines, linkTo));
    else lines.shift();
  }
  return html.filter(Boolean).join('\n');
}

function takeWhile(lines: string[], belongs: (line: string) => boolean): string[] {
  const taken: string[] = [];
  while (lines.length > 0 && belongs(lines[0] ?? '')) taken.push(lines.shift() ?? '');
  return taken;
}

const inline = (lines: readonly string[], linkTo: LinkTo, prefix = /^\s*/): string =>
  renderInline(lines.map((line) => line.replace(prefix, '')).join(' '), linkTo);

function takeCode(lines: string[]): string {
  const language = (lines.shift() ?? '').slice(3).trim();
  const code = takeWhile(lines, (line) => !line.startsWith('```'));
  lines.shift();
  return `<pre tabindex="0"${language ? ` data-language="${escaped(language)}"` : ''}><code>${escaped(code.join('\n'))}</code></pre>`;
}

function takePictures(lines: string[], linkTo: LinkTo): string {
  const pictures = [...(lines.shift() ?? '').matchAll(/<img src="([^"]+)" alt="([^"]*)"(?: width="(\d+)")?>/g)];
  return `<p>${pictures.map(([, src = '', alt = '', width = '']) => `<img src="${linkTo(src)}" alt="${alt}" width="${width}" loading="lazy">`).join(' ')}</p>`;
}

function takeHeading(lines: string[], linkTo: LinkTo): string {
  const [, hashes = '', heading = ''] = /^(#+) (.*)$/.exec(lines.shift() ?? '') ?? [];
  return `<h${hashes.length} id="${slugOf(heading)}">${renderInline(heading, linkTo)}</h${hashes.length}>`;
}

function takeTable(lines: string[], linkTo: LinkTo): string {
  const [head = [], _rule, ...rows] = takeWhile(lines, (line) => line.startsWith('|')).map(cellsOf);
  const cells = (tag: 'th' | 'td', row: readonly string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${renderInline(cell, linkTo)}</${tag}>`).join('')}</tr>`;
  return `<div class="table" tabindex="0"><table><thead>${cells('th', head)}</thead><tbody>${rows.map((row) => cells('td', row)).join('')}</tbody></table></div>`;
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, '|'));

function takeList(lines: string[], linkTo: LinkTo): string {
  const tag = /^\s*\d/.test(lines[0] ?? '') ? 'ol' : 'ul';
  const taken = takeWhile(lines, (line) => /^\s*(?:[-*]|\d+\.) /.test(line) || /^\s{2,}\S/.test(line));
  const items: string[] = [];
  for (const line of taken) {
    if (/^\s*(?:[-*]|\d+\.) /.test(line)) items.push(line.replace(/^\s*(?:[-*]|\d+\.) /, ''));
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return `<${tag}>${items.map((item) => `<li>${renderInline(item, linkTo)}</li>`).join('')}</${tag}>`;
}

function takeParagraph(lines: string[], linkTo: LinkTo): string {
  const others = blocks.slice(0, -1);
  const first = lines.shift() ?? '';
  const rest = takeWhile(lines, (line) => /\S/.test(line) && !others.some(({ begins }) => begins.test(line)));
  return `<p>${inline([first, ...rest], linkTo)}</p>`;
}
