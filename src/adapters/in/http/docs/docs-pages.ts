import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escaped, type LinkTo, renderInline, renderMarkdown, slugOf } from './markdown';
import { documentBody, type Nav, navOf } from './openapi-page';
import type { ReadDocument } from './read-document';

const areas = [
  { path: '/docs', title: 'Start' },
  { path: '/docs/contract', title: 'Contract' },
  { path: '/docs/api', title: 'API' },
  { path: '/docs/partners', title: 'Endpoints of partners' },
  { path: '/docs/manage', title: 'Manage API' },
  { path: '/docs/errors', title: 'Errors' },
] as const;

interface Page {
  readonly path: string;
  readonly title: string;
  readonly body: string;
  readonly nav: Nav;
}

/** A page in the list of pages. */
interface ListedPage {
  readonly name: string;
  readonly title: string;
  /** A phrase about its purpose. */
  readonly description: string;
}

/** Pages of a single file: page name to path. */
const textFiles: Readonly<Record<string, string>> = {
  errors: 'reference/errors.md',
  settings: 'reference/settings.md',
  contract: 'contract/README.md',
  reliability: 'reliability.md',
  performance: 'performance.md',
};
export const textPages: readonly string[] = Object.keys(textFiles);

/** Folders whose files are pages; the page's path is the file's without its ending. */
export const textFolders = ['guides', 'contract', 'adr'] as const;
type TextFolder = (typeof textFolders)[number];

const pages = new Map<string, Promise<string | undefined>>();

/**
 * Renders a complete page and caches it: `start`, `api`, `partners`, `manage`, a single text or `{folder}/{name}`. Resolves to `undefined`
 * for an unknown name; that result is not cached, so invented names use no memory.
 */
export async function renderPage(folder: string, name: string): Promise<string | undefined> {
  const key = `${folder} ${name}`;
  const page = pages.get(key) ?? make(folder, name);
  pages.set(key, page);
  let html: string | undefined;
  try {
    html = await page;
    return html;
  } finally {
    if (html === undefined) pages.delete(key);
  }
}

async function make(folder: string, name: string): Promise<string | undefined> {
  const guides = await guidesIn(folder);
  const [section = '', file] = name.split('/');
  const found = file === undefined ? await referenceOf(folder, name, guides) : await filePage(folder, section as TextFolder, file);
  return found && frame(found, guides);
}

/** The page of one file; the contract's pages also link to one another. */
async function filePage(folder: string, section: TextFolder, file: string): Promise<Page | undefined> {
  const found = textPage(`/docs/${section}/${file}`, await text(join(folder, section, `${file}.md`)), linkFrom(`${section}/${file}.md`));
  return section === 'contract' ? withContract(folder, found) : found;
}

async function withContract(folder: string, page: Page | undefined): Promise<Page | undefined> {
  const entries = (await contractPagesIn(folder)).map(({ name, title }) => ({ level: 2, text: title, href: `/docs/contract/${name}` }));
  return page && { ...page, nav: [...page.nav, { heading: 'Contract', entries }] };
}

async function referenceOf(folder: string, name: string, guides: readonly ListedPage[]): Promise<Page | undefined> {
  if (name === 'start') return startOf(guides);
  const file = textFiles[name];
  if (file !== undefined) {
    const found = textPage(`/docs/${name}`, await text(join(folder, file)), linkFrom(file));
    return name === 'contract' ? withContract(folder, found) : found;
  }
  const json = await text(join(folder, `reference/openapi/${name}.json`));
  if (json === undefined) return undefined;
  const document = JSON.parse(json) as ReadDocument;
  return {
    path: `/docs/${name}`,
    title: document.info.title.replace(/^Pierhead: /, ''),
    body: documentBody(document, name),
    nav: navOf(document),
  };
}

function textPage(path: string, markdown: string | undefined, linkTo: LinkTo): Page | undefined {
  if (markdown === undefined) return undefined;
  const headings = [...markdown.replace(/^```.*?^```$/gms, '').matchAll(/^(#{2,3}) (.+)$/gm)];
  const entries = headings.map(([, hashes = '', heading = '']) => ({
    level: hashes.length,
    text: heading.replace(/[`*]/g, ''),
    href: `#${slugOf(heading)}`,
  }));
  const nav = [{ heading: 'On this page', entries: entries.filter(({ level }) => level === 2 || /errors$/.test(path)) }];
  return { path, title: titleOf(markdown), body: renderMarkdown(markdown, linkTo), nav };
}

const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? 'Pierhead';

/** Converts links between files to links between pages. */
const linkFrom =
  (file: string): LinkTo =>
  (target) => {
    if (/^(?:[a-z]+:|#|\/)/.test(target)) return target;
    const { pathname, hash } = new URL(target, `http://docs/docs/${file}`);
    const single = textPages.find((name) => pathname === `/docs/${textFiles[name] ?? ''}`);
    if (single !== undefined) return `/docs/${single}${hash}`;
    const [, folder = '', name = ''] = /^\/docs\/([a-z]+)\/([a-z0-9-]+)\.md$/.exec(pathname) ?? [];
    return (textFolders as readonly string[]).includes(folder) ? `/docs/${folder}/${name}${hash}` : pathname + hash;
  };

/** The guides in the order and with the texts of the list in README.md. */
const guidesIn = (folder: string): Promise<readonly ListedPage[]> =>
  listed(join(folder, 'README.md'), /^\d+\. \[([^\]]+)\]\(guides\/([a-z-]+)\.md\): (.+)$/gm);

/** The pages of the contract, in the order of its table. */
const contractPagesIn = (folder: string): Promise<readonly ListedPage[]> =>
  listed(join(folder, 'contract/README.md'), /^\| \[([^\]]+)\]\(([a-z-]+)\.md\) +\| ([^|]+)\|$/gm);

async function listed(path: string, entry: RegExp): Promise<readonly ListedPage[]> {
  const list = (await text(path)) ?? '';
  return [...list.matchAll(entry)].map(([, title = '', name = '', description = '']) => ({ name, title, description: description.trim() }));
}

const text = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

function startOf(guides: readonly ListedPage[]): Page {
  const card = (path: string, title: string, description: string): string =>
    `<a class="card" href="${path}"><strong>${escaped(title)}</strong><span>${renderInline(description)}</span></a>`;
  const references = [
    card('/docs/contract', 'Contract', 'Every endpoint, field, state and limit, and the credentials of both directions.'),
    card('/docs/api', 'API', 'What host apps and miniapps call.'),
    card('/docs/partners', 'Endpoints of partners', 'What host apps and miniapps implement.'),
    card('/docs/manage', 'Manage API', 'What operators do, and partners for themselves.'),
    card('/docs/errors', 'Errors', 'Every code: why it comes, who acts, how to end it.'),
    card('/docs/settings', 'Settings', 'Every setting of the service, with its limits.'),
  ];
  const body = `<h1>Pierhead</h1><p>The service between the back ends of super apps and third-party miniapps: sign-on, payments, events, analytics, and the credentials of both directions.</p>
<h2 id="reference">Reference</h2><div class="cards">${references.join('')}</div>
<h2 id="guides">Guides</h2><div class="cards">${guides.map(({ name, title, description }) => card(`/docs/guides/${name}`, title, description)).join('')}</div>
<h2 id="machines">For machines</h2><p>OpenAPI 3.1: <a href="/openapi/api.json">api.json</a>, <a href="/openapi/partners.json">partners.json</a>, <a href="/openapi/manage.json">manage.json</a>. Plain text: <a href="/llms.txt">llms.txt</a>.</p>`;
  return { path: '/docs', title: 'Documentation', body, nav: [] };
}

function frame({ path, title, body, nav }: Page, guides: readonly ListedPage[]): string {
  const link = (href: string, label: string): string =>
    `<a href="${href}"${href === path ? ' aria-current="page"' : ''}>${escaped(label)}</a>`;
  const entries = nav.map(({ heading, entries: all }) => {
    const items = all.map(({ href, text: label, method }) => {
      const badge = method === undefined ? '' : `<span class="method ${method.toLowerCase()}" aria-hidden="true">${method}</span>`;
      return `<li><a href="${href}">${badge}<span>${escaped(label)}</span></a></li>`;
    });
    return `<h2>${escaped(heading)}</h2><ul>${items.join('')}</ul>`;
  });
  const areaLinks = areas.map((area) => link(area.path, area.title)).join('');
  const guideLinks = guides.map(({ name, title: label }) => `<li>${link(`/docs/guides/${name}`, label)}</li>`).join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Pierhead</title>
<link rel="icon" href="/docs/assets/icon.svg">
<link rel="stylesheet" href="/docs/assets/docs.css">
<script src="/docs/assets/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header><a class="brand" href="/docs">Pierhead</a><nav aria-label="Areas">${areaLinks}</nav></header>
<div class="columns">
<aside><details id="contents" open><summary>Contents</summary>
<input id="filter" type="search" placeholder="Filter" aria-label="Filter the contents" hidden>
<nav aria-label="Contents">${entries.join('')}<h2>Guides</h2><ul>${guideLinks}</ul></nav></details></aside>
<main id="main">${body}</main>
</div>
</body>
</html>
`;
}
