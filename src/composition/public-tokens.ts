import type { RequestHandler } from 'express';
import type { PublishedKeys } from '../domain/credentials/ports';
import type { ApprovedMiniapps } from '../domain/partners/approved-miniapps';
import { token } from './token';

/** What anybody may read, by name. */
export const publicTokens = {
  approvedMiniapps: token<ApprovedMiniapps>('approvedMiniapps'),
  miniappList: token<RequestHandler>('miniappList'),
  publishedKeys: token<PublishedKeys>('publishedKeys'),
  wellKnown: token<RequestHandler>('wellKnown'),
};
