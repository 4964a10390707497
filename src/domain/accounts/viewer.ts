/** What one may be: who runs the service, or who works for one host app or one miniapp. */
export const roles = ['operator', 'host-app', 'miniapp'] as const;
export type Role = (typeof roles)[number];

/** The partner that a viewer works for; nothing of the operator, who sees all. */
export interface Scope {
  readonly clientId?: string;
  readonly appId?: string;
}

/** Who asks. */
export type Viewer = {
  /** Absent: the operator's token, which is nobody's in particular. */
  readonly accountId?: string;
  /** How people call the account. */
  readonly name: string;
  /** The operator looks at what this role sees, and changes nothing. */
  readonly isReadOnly?: boolean;
} & (
  | { readonly role: 'operator' }
  | { readonly role: 'host-app'; readonly clientId: string }
  | { readonly role: 'miniapp'; readonly appId: string }
);

/** The operator, known by its token. */
export const operatorByToken: Viewer = { role: 'operator', name: 'Operator token' };

/** Which records a viewer sees: those that name its partner. */
export function scopeOfViewer(viewer: Viewer): Scope {
  if (viewer.role === 'host-app') return { clientId: viewer.clientId };
  return viewer.role === 'miniapp' ? { appId: viewer.appId } : {};
}

/** Whether a record of these ids is the viewer's to see. A record that names nobody is the operator's alone. */
export function isSeen(
  { clientId, appId }: Scope,
  record: { readonly clientId?: string | undefined; readonly appId?: string | undefined },
): boolean {
  if (clientId !== undefined) return record.clientId === clientId;
  return appId === undefined || record.appId === appId;
}

/** How the viewer is named in the audit trail. */
export const actorOf = ({ role, accountId }: Viewer): string => (accountId === undefined ? role : `${role}:${accountId}`);
