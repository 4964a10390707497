import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../src/reference/description';
import { renderErrorReference } from '../../src/reference/errors/error-reference';
import { renderLlms } from '../../src/reference/llms';
import { referenceDocuments } from '../../src/reference/reference-documents';

export const root = join(__dirname, '../..');

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** The documents as the code makes them now, by name. */
export const madeDocuments = (): Readonly<Record<string, OpenApiDocument>> =>
  Object.fromEntries(Object.entries(referenceDocuments).map(([name, make]) => [name, make(version)]));

/** The reference as files: their paths and contents, JSON not laid out yet. */
export function referenceFiles(): readonly { readonly path: string; readonly text: string }[] {
  const documents = madeDocuments();
  return [
    ...Object.entries(documents).map(([name, document]) => ({
      path: `docs/reference/openapi/${name}.json`,
      text: JSON.stringify(document),
    })),
    { path: 'docs/reference/errors.md', text: renderErrorReference() },
    { path: 'docs/llms.txt', text: renderLlms(root, documents) },
  ];
}
