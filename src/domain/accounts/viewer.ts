/** The roles: the operator of the service, or a person who works for one host app or one miniapp. */
export const roles = ['operator', 'host-app', 'miniapp'] as const;
export type Role = (typeof roles)[number];

/** The partner that a viewer works for; empty for the operator, who sees everything. */
export interface Scope {
  readonly clientId?: string;
  readonly appId?: string;
}

/** The authenticated user of the manage API. */
export type Viewer = {
  /** Absent for the operator's token, which belongs to no account. */
  readonly accountId?: string;
  /** The display name. */
  readonly name: string;
  /** The operator views as this role, and can change nothing. */
  readonly isReadOnly?: boolean;
} & (
  | { readonly role: 'operator' }
  | { readonly role: 'host-app'; readonly clientId: string }
  | { readonly role: 'miniapp'; readonly appId: string }
);

/** The operator, authenticated by its token. */
export const operatorByToken: Viewer = { role: 'operator', name: 'Operator token' };

/** The scope of records that a viewer sees: those of its partner. */
export function scopeOfViewer(viewer: Viewer): Scope {
  if (viewer.role === 'host-app') return { clientId: viewer.clientId };
  return viewer.role === 'miniapp' ? { appId: viewer.appId } : {};
}

/** Whether a viewer sees a record. A record without partners is only for the operator. */
export function isSeen(
  { clientId, appId }: Scope,
  record: { readonly clientId?: string | undefined; readonly appId?: string | undefined },
): boolean {
  if (clientId !== undefined) return record.clientId === clientId;
  return appId === undefined || record.appId === appId;
}

/** The viewer's name in the audit trail. */
export const actorOf = ({ role, accountId }: Viewer): string => (accountId === undefined ? role : `${role}:${accountId}`);
