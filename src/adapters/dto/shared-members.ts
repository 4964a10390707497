import { text, whole, type Member } from './schema';

// Members with the same meaning everywhere.

/** The two ids that identify an integration. */
export const clientId = [text, 'Client ID of the host app, such as `host_abc123def456`.'] as const satisfies Member;
export const appId = [text, 'App ID of the miniapp, such as `app_abc123`.'] as const satisfies Member;
export const pair = { client_id: clientId, app_id: appId };

/** The request id in every answer. */
export const answeredRequestId: Member = [
  text,
  'Id of the call: what the caller sent, if that is 1 to 128 characters of `[A-Za-z0-9._-]`, otherwise a new one.',
];

/** For records that are changed with `If-Match`. */
export const rowVersion: Member = [whole, 'Number that grows with every change; `ETag` and `If-Match` carry it.'];

/** For records that outlive their integration. */
export const pairIfKnown: Readonly<Record<string, Member>> = {
  'client_id?': [text, 'Client ID of the host app; absent where it is not known, or the integration was removed.'],
  'app_id?': [text, 'App ID of the miniapp; absent where it is not known, or the integration was removed.'],
};
export const integrationId: Member = [text, 'The integration by its inner `id`, which stays after it was removed.'];
export const requestIdOfCall: Member = [text, '`X-Request-Id` of the call, by which all parties find it in their logs.'];
export const unreadable: Member = [
  { const: true },
  'There where the sealed part of the record opens with no encryption key of the service.',
];
