import type { EraseUser, Removed } from '../../../../../domain/sso/erase-user';
import type { ConsentState, UserRecordRepository, UserRecord } from '../../../../../domain/sso/user-record-repository';
import { type ExportUser, type RevokeUserTokens, userOf } from '../../../../../domain/sso/user-actions';
import { narrowed, requireOwn } from '../http/access';
import type { PlainObject } from '../http/merge-patch';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { pageOf } from '../http/query';
import { sendPieces } from '../http/send-pieces';
import { type Mount, originOf, serve } from '../http/serve';
import { userIn } from './user.dto';
import { userCalls } from './users-calls';

export interface UserRoutesDeps {
  readonly users: UserRecordRepository;
  readonly eraseUser: EraseUser;
  readonly exportUser: ExportUser;
  readonly revokeUserTokens: RevokeUserTokens;
}

/** Serves the calls about users. Erasing an unknown user gives the same answer with zero counts. */
export function userRoutes(mount: Mount, { users, ...useCases }: UserRoutesDeps): void {
  const { eraseUser, exportUser, revokeUserTokens: revoke } = useCases;
  serve(mount, userCalls, {
    list: async (req, res, { filter, page }) => {
      const { client_id: clientId, app_id: appId, reference } = filter;
      const wanted = narrowed(req, present({ clientId, appId, reference }));
      const show = { show: userView, cursorOf: (user: UserRecord) => `${user.clientId}/${user.id}` };
      res.json(await pageOf(page, (request) => users.list(wanted, request), show));
    },
    erase: async (req, res) => {
      const user = await userOf(users, { ...originOf(req), ...(await userIn(req)) });
      res.json({ removed: removedView(await eraseUser.execute({ ...originOf(req), ...user })) });
    },
    export: async (req, res) => {
      await sendPieces(res, await exportUser.execute({ ...originOf(req), ...(await userIn(req)) }));
    },
    revokeTokens: async (req, res) => {
      const user = await userIn(req);
      requireOwn(req, 'host-app', user.clientId);
      await revoke.execute({ ...originOf(req), ...user });
      res.json({ revoked: true });
    },
  });
}

const optionalTime = (at: number | undefined): string | undefined => (at === undefined ? undefined : timeText(at));

const userView = ({ tokens, consents, ...user }: UserRecord): object =>
  present({
    id: user.id,
    client_id: user.clientId,
    reference: user.maskedReference,
    unreadable: user.isUnreadable,
    first_sign_on_at: optionalTime(user.firstSignOnAt),
    last_sign_on_at: optionalTime(user.lastSignOnAt),
    tokens: tokens && { stored_at: timeText(tokens.at), refreshable: tokens.isRefreshable },
    consents: consents.map(consentView),
  });

const consentView = ({ appId, granted, fields, textVersion, at }: ConsentState): object =>
  present({ app_id: appId, granted, fields, text_version: textVersion, at: timeText(at) });

/** The counts of removed records, for the answer and the audit trail. */
export const removedView = (removed: Removed): PlainObject => ({
  users: removed.users,
  tokens: removed.tokens,
  consents: removed.consents,
  consent_entries: removed.consentEntries,
  payments: removed.payments,
  reports: removed.reports,
  deliveries: removed.deliveries,
  pending_deliveries: removed.pendingDeliveries,
});
