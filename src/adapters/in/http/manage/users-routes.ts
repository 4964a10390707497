import type { RequestHandler, Router } from 'express';
import { EraseUser, type Removed, type UserErasure } from '../../../../domain/sso/erase-user';
import { printJson } from '../../../../domain/shared/json';
import type { Clock } from '../../../../domain/shared/ports';
import type { ConsentState, UserBook, UserRecord } from '../../../../domain/sso/user-book';
import { ExportUser, RevokeUserTokens, userOf } from '../../../../domain/sso/user-deeds';
import { narrowed, operatorOnly, partnersOf, requireOwn } from './access';
import type { PlainObject } from './merge-patch';
import { timeText } from './partner-wire';
import { present } from './present';
import { listQuery, pageOf, text, word } from './query';
import { originOf, serve } from './serve';
import { userIn } from './user.dto';

export interface UserRoutesDeps {
  readonly users: UserBook;
  readonly erasure: UserErasure;
  readonly clock: Clock;
}

/**
 * `/users`: stored users of host apps, masked. One can be forgotten, be exported, and lose the tokens. For
 * an unknown user an erasure gives the same answer, with nothing in it.
 */
export function userRoutes(router: Router, readBody: RequestHandler, { users, erasure, clock }: UserRoutesDeps): void {
  const eraseUser = new EraseUser({ erasure, clock, describe: removedView });
  const [exportUser, revoke] = [new ExportUser({ book: users, clock }), new RevokeUserTokens({ book: users, clock })];
  serve(router, '/users', {
    get: partnersOf('host-app')(async (req, res) => {
      const { filter, page } = listQuery(req, { client_id: word, app_id: word, reference: text });
      const { client_id: clientId, app_id: appId, reference } = filter;
      const wanted = narrowed(req, present({ clientId, appId, reference }));
      res.json(
        await pageOf(page, (asked) => users.list(wanted, asked), {
          show: userView,
          cursorOf: ({ clientId: of, place }) => `${of}/${place}`,
        }),
      );
    }),
  });
  serve(router, '/users/erase', {
    post: operatorOnly(readBody, async (req, res) => {
      const command = { ...originOf(req), ...userIn(req) };
      const user = await userOf(users, command);
      res.json({ removed: removedView(await eraseUser.execute({ ...originOf(req), ...user })) });
    }),
  });
  serve(router, '/users/export', {
    post: operatorOnly(readBody, async (req, res) => {
      const exported = await exportUser.execute({ ...originOf(req), ...userIn(req) });
      res.type('application/json').send(printJson(exported));
    }),
  });
  serve(router, '/users/revoke-tokens', {
    post: partnersOf('host-app')(readBody, async (req, res) => {
      const user = userIn(req);
      requireOwn(req, 'host-app', user.clientId);
      await revoke.execute({ ...originOf(req), ...user });
      res.json({ revoked: true });
    }),
  });
}

const optionalTime = (at: number | undefined): string | undefined => (at === undefined ? undefined : timeText(at));

const userView = ({ tokens, consents, ...user }: UserRecord): object =>
  present({
    ...{ id: user.id, client_id: user.clientId, reference: user.maskedReference, unreadable: user.isUnreadable },
    first_sign_on_at: optionalTime(user.firstSignOnAt),
    last_sign_on_at: optionalTime(user.lastSignOnAt),
    tokens: tokens && { stored_at: timeText(tokens.at), refreshable: tokens.isRefreshable },
    consents: consents.map(consentView),
  });

const consentView = ({ appId, granted, fields, textVersion, at }: ConsentState): object =>
  present({ app_id: appId, granted, fields, text_version: textVersion, at: timeText(at) });

/** The numbers as they are shown, here and in the audit trail. */
const removedView = (removed: Removed): PlainObject => ({
  users: removed.users,
  tokens: removed.tokens,
  consents: removed.consents,
  consent_entries: removed.consentEntries,
  payments: removed.payments,
  reports: removed.reports,
  deliveries: removed.deliveries,
  owed_deliveries: removed.owedDeliveries,
});
