import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';
import { wrongMethod } from '../reading/wrong-method';
import { docsIcon, docsScript, docsStyle } from './docs-style';
import { renderPage, textFolders, textPages } from './docs-pages';

/** Valid names of files. */
const plainName = /^[a-z0-9-]+$/;
/** Pages that are rendered from OpenAPI documents, by path. */
const documentPages = ['api', 'partners', 'manage'];

/** Pages may load their own style, script and pictures, and nothing else. */
const pageHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      ...{ defaultSrc: ["'none'"], styleSrc: ["'self'"], scriptSrc: ["'self'"], imgSrc: ["'self'"] },
      ...{ baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
    },
  },
  strictTransportSecurity: false,
});

/** Files that are served unchanged: path, file below the folder (`*`: the name), type. */
const named = [
  ['/openapi/:name.json', 'reference/openapi/*.json', 'application/json'],
  ['/docs/reference/openapi/:name.json', 'reference/openapi/*.json', 'application/json'],
  ['/docs/samples/:name.json', 'samples/*.json', 'application/json'],
  ...[...textFolders, 'reference'].map((section) => [`/docs/${section}/:name.md`, `${section}/*.md`, 'text/markdown'] as const),
] as const;

/** Page paths with their page names; `undefined` for an unknown name. */
const pages: readonly (readonly [string, (name: string) => string | undefined])[] = [
  ['/docs', () => 'start'],
  ...textFolders.map((section) => [`/docs/${section}/:name`, (name: string) => `${section}/${name}`] as const),
  ['/docs/:name', (name) => ([...documentPages, ...textPages].includes(name) ? name : undefined)],
];

/**
 * `/docs`: the contract, guides, decisions and references as pages; `/openapi/{name}.json`; `/llms.txt`. Files are read from `folder` (the
 * project's docs) on request, so they cannot delay or break a start.
 */
export function docsRouter(folder: string): Router {
  const router = Router({ caseSensitive: true, strict: false });
  const send = (path: string, type: string): RequestHandler => file(() => path, folder, type);
  router.use(['/docs', '/openapi', '/llms.txt'], pageHeaders);
  get(router, '/llms.txt', send('llms.txt', 'text/plain'));
  get(router, '/docs/contract/README.md', send('contract/README.md', 'text/markdown'));
  for (const [path, pattern, type] of named)
    get(
      router,
      path,
      file((name) => pattern.replace('*', name), folder, type),
    );
  router.use('/docs/images', express.static(join(folder, 'images'), { index: false, redirect: false }));
  get(router, '/docs/assets/:name', asset);
  for (const [path, pageOf] of pages) get(router, path, page(folder, pageOf));
  return router;
}

function get(router: Router, path: string, handler: RequestHandler): void {
  router
    .route(path)
    .get(handler)
    .all(wrongMethod(['GET', 'HEAD']));
}

const nameIn = (params: Readonly<Record<string, unknown>>): string | undefined => {
  const { name = 'none' } = params;
  return typeof name === 'string' && plainName.test(name) ? name : undefined;
};

/** Serves a file unchanged. Without such a file the next routes answer. */
function file(pathOf: (name: string) => string, folder: string, type: string): RequestHandler {
  return async (req, res, next) => {
    const name = nameIn(req.params);
    const text = name === undefined ? undefined : await readFile(join(folder, pathOf(name)), 'utf8').catch(() => undefined);
    if (text === undefined) next('router');
    else answer(res, type, text);
  };
}

/** Serves the style and the script of the pages. */
const asset: RequestHandler = (req, res, next) => {
  const { name } = req.params;
  if (name === 'docs.css') answer(res, 'text/css', docsStyle);
  else if (name === 'icon.svg') answer(res, 'image/svg+xml', docsIcon);
  else if (name === 'docs.js') answer(res, 'text/javascript', docsScript);
  else next('router');
};

function page(folder: string, which: (name: string) => string | undefined): RequestHandler {
  return async (req, res, next) => {
    const name = nameIn(req.params);
    const wanted = name === undefined ? undefined : which(name);
    const html = wanted === undefined ? undefined : await renderPage(folder, wanted);
    if (html === undefined) next('router');
    else answer(res, 'text/html', html);
  };
}

function answer(res: Response, type: string, text: string): void {
  res.set('Cache-Control', 'no-cache').type(`${type}; charset=utf-8`).send(text);
}
