import { apiDocument } from './api/api-document';
import type { OpenApiDocument } from './description';
import type { ManageExamples } from './manage/examples';
import { manageDocument } from './manage/manage-document';
import { partnersDocument } from './partners/partners-document';

/** The OpenAPI documents by their file name in docs/reference/openapi. `examples`: docs/reference/examples. */
export const referenceDocuments = (version: string, examples: ManageExamples): Readonly<Record<string, OpenApiDocument>> => ({
  api: apiDocument(version),
  partners: partnersDocument(version),
  manage: manageDocument(version, examples),
});
