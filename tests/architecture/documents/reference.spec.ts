import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { approvedMiniappsPath } from '../../../src/adapters/in/http/miniapp-list/approved-miniapps';
import { declaredRoutes } from '../../../src/reference/api/api-document';
import { apiCalls } from '../../../src/reference/api/api-calls';
import { guidesIn } from '../../../src/reference/llms';
import { madeDocuments, referenceFiles, root } from '../../support/documents/reference-files';

const documents = madeDocuments();

/** As text; the layout of JSON is Prettier's. */
const laidOutAlike = (path: string, text: string): string => (path.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text);

describe('the files of the reference', () => {
  it.each(referenceFiles())('$path is what the code says: `npm run docs:openapi` writes it', ({ path, text }) => {
    const file = join(root, path);
    expect(existsSync(file)).toBe(true);
    expect(laidOutAlike(path, readFileSync(file, 'utf8'))).toBe(text);
  });
});

describe.each(Object.entries(documents))('the document %s', (_name, document) => {
  it('is one of OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>);
    expect([valid, errors ?? []]).toEqual([true, []]);
  });

  it('would be refused with a mistake in it', async () => {
    const broken = { ...structuredClone(document), info: { title: 1 } };
    expect((await new Validator().validate(broken as unknown as Record<string, unknown>)).valid).toBe(false);
  });

  it('has every component that it refers to, and no unused one', () => {
    const text = JSON.stringify(document);
    const named = [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)].map(([, kind, name]) => `${kind}/${name}`);
    const { securitySchemes: _schemes, ...components } = document.components as Record<string, Record<string, unknown>>;
    const there = Object.entries(components).flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`));
    expect(named.filter((name) => !there.includes(name))).toEqual([]);
    expect(there.filter((name) => !named.includes(name))).toEqual([]);
  });

  it('gives each call an id of its own', () => {
    const ids = [...JSON.stringify(document).matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(9);
    expect(ids).toEqual([...new Set(ids)]);
  });
});

describe('the document of the API', () => {
  it('describes each declared route, and none besides', () => {
    const declared = declaredRoutes();
    expect(Object.keys(apiCalls).sort()).toEqual(declared.map(({ call }) => call).sort());
    const served = declared.flatMap(({ methods, paths }) => methods.flatMap((method) => paths.map((path) => `${method} ${path}/`)));
    const listed = `GET ${approvedMiniappsPath}/`;
    const all = [listed, ...served.map((one) => one.replace(/:(\w+)/g, '{$1}'))];
    expect(servedIn(documents['api']?.paths ?? {}).sort()).toEqual(all.sort());
  });
});

describe('llms.txt', () => {
  it('links to existing files, to every guide and every page of the contract', () => {
    const text = readFileSync(join(root, 'docs/llms.txt'), 'utf8');
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    const files = links.map((link) => link.replace(/^\/openapi\//, '/docs/reference/openapi/'));
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(links).toEqual(expect.arrayContaining(guidesIn(root).map(({ path }) => path)));
    const contract = readdirSync(join(root, 'docs/contract')).map((name) => `/docs/contract/${name}`);
    expect(links).toEqual(expect.arrayContaining(contract));
  });
});

function servedIn(paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const also = (operation as { 'x-also-served-at'?: string[] })['x-also-served-at'] ?? [];
      return [path, ...also].map((one) => `${method.toUpperCase()} ${one}`);
    }),
  );
}
