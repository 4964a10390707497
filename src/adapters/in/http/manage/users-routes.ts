import type { RequestHandler, Router } from 'express';
import type { EraseUser, Removed } from '../../../../domain/sso/erase-user';
import { InvalidInput } from '../../../../domain/shared/errors';
import { EraseUserDto } from './erase-user.dto';
import { bodyOf } from './json-body';
import { mergePatch, plainOf, type PlainObject } from './merge-patch';
import { readDto } from './read-dto';
import { originOf, serve } from './serve';

/** `/users/erase`: one user of a host app is forgotten. Who is not known gets the same answer, with nothing in it. */
export function userRoutes(router: Router, readBody: RequestHandler, eraseUser: EraseUser): void {
  serve(router, '/users/erase', {
    post: [
      readBody,
      async (req, res) => {
        const { plain, problems: found } = plainOf(bodyOf(req));
        const { facts, problems } = readDto(EraseUserDto, mergePatch({}, plain) as PlainObject);
        if (found.length + problems.length > 0) throw new InvalidInput([...found, ...problems]);
        const { client_id: clientId, reference } = facts;
        res.json({ removed: removedView(await eraseUser.execute({ ...originOf(req), clientId, reference })) });
      },
    ],
  });
}

/** The numbers as they are shown, here and in the audit trail. */
export const removedView = (removed: Removed): PlainObject => ({
  users: removed.users,
  tokens: removed.tokens,
  consents: removed.consents,
  consent_entries: removed.consentEntries,
  payments: removed.payments,
  reports: removed.reports,
  deliveries: removed.deliveries,
  owed_deliveries: removed.owedDeliveries,
});
