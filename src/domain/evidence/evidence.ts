/** A link to evidence as shown in lists, without its token and content. Times are milliseconds since the epoch. */
export interface EvidenceLink {
  readonly id: string;
  readonly exchangeId: string;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  /** The creator, as named in the audit trail. */
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt?: number | undefined;
  /** How often it was opened, and when last. */
  readonly opened: number;
  readonly openedAt?: number | undefined;
}

/** Default, minimum and maximum lifetime of a link, in seconds. */
export const evidenceLasts = { usually: 7 * 86_400, min: 60, max: 30 * 86_400 } as const;

/** The subject of an audit entry about a link, by which both partners find it. */
export function subjectOf({ clientId, appId, exchangeId }: Pick<EvidenceLink, 'clientId' | 'appId' | 'exchangeId'>): string {
  if (clientId !== undefined && appId !== undefined) return `integration:${clientId}/${appId}`;
  if (clientId !== undefined) return `host-app:${clientId}`;
  return appId === undefined ? `exchange:${exchangeId}` : `miniapp:${appId}`;
}
