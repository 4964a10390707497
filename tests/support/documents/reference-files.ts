import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../../src/reference/description';
import type { ManageExamples } from '../../../src/reference/manage/examples';
import { renderErrorReference } from '../../../src/reference/errors/error-reference';
import { renderLlms } from '../../../src/reference/llms';
import { referenceDocuments } from '../../../src/reference/reference-documents';

export const root = join(__dirname, '../../..');

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

const examplesFolder = join(root, 'docs/reference/examples');

/** Calls of the manage API as they were made once: a file for each part of the API. */
const manageExamples = (): ManageExamples =>
  Object.assign(
    {},
    ...readdirSync(examplesFolder).map((file) => JSON.parse(readFileSync(join(examplesFolder, file), 'utf8')) as ManageExamples),
  ) as ManageExamples;

/** The documents as the code makes them now, by name. */
export const madeDocuments = (): Readonly<Record<string, OpenApiDocument>> => referenceDocuments(version, manageExamples());

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
