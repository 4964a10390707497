/** A link to evidence, as it is listed: never its token, never what it shows. Times are milliseconds since the epoch. */
export interface EvidenceLink {
  readonly id: string;
  readonly exchangeId: string;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  /** Who made it, as in the audit trail. */
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt?: number | undefined;
  /** How often it was opened, and when for the last time. */
  readonly opened: number;
  readonly openedAt?: number | undefined;
}

/** The default and longest life of a link, in seconds. */
export const evidenceLasts = { usually: 7 * 86_400, least: 60, most: 30 * 86_400 } as const;

/** The subject of an audit entry about a link: both partners find it. */
export function subjectOf({ clientId, appId, exchangeId }: Pick<EvidenceLink, 'clientId' | 'appId' | 'exchangeId'>): string {
  if (clientId !== undefined && appId !== undefined) return `integration:${clientId}/${appId}`;
  if (clientId !== undefined) return `host-app:${clientId}`;
  return appId === undefined ? `exchange:${exchangeId}` : `miniapp:${appId}`;
}
