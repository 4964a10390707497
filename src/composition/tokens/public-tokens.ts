import type { RequestHandler } from 'express';
import type { PublishedKeyReader } from '../../domain/credentials/ports';
import type { ApprovedMiniappReader } from '../../domain/partners/approved-miniapps';
import { token } from './token';

/** The container keys of public resources. */
export const publicTokens = {
  approvedMiniapps: token<ApprovedMiniappReader>('approvedMiniapps'),
  miniappList: token<RequestHandler>('miniappList'),
  publishedKeys: token<PublishedKeyReader>('publishedKeys'),
  wellKnown: token<RequestHandler>('wellKnown'),
};
