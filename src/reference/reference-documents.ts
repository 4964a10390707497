import { apiDocument } from './api/api-document';
import type { OpenApiDocument } from './description';
import { manageDocument } from './manage/manage-document';
import { partnersDocument } from './partners/partners-document';

/** The OpenAPI documents by the name of their file in docs/reference/openapi. */
export const referenceDocuments: Readonly<Record<string, (version: string) => OpenApiDocument>> = {
  api: apiDocument,
  partners: partnersDocument,
  manage: manageDocument,
};
