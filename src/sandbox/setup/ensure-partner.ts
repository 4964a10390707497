import { createHash } from 'node:crypto';
import { ManageCallFailed, type ManageAnswer, type ManageCalls } from '../manage-calls';
import { memberOf } from '../read-body';

/** A kind of partner in the terms of the manage API. */
export interface PartnerKind {
  readonly collection: 'host-apps' | 'miniapps';
  readonly idField: 'client_id' | 'app_id';
}

export const hostAppKind: PartnerKind = { collection: 'host-apps', idField: 'client_id' };
export const miniappKind: PartnerKind = { collection: 'miniapps', idField: 'app_id' };

/** The desired state of a partner. */
export interface WantedPartner {
  /** Absent when the service generates one. */
  readonly id: string | undefined;
  readonly settings: object;
  /** The Secret key of the last start. Absent when it is not known. */
  readonly secretKey: string | undefined;
}

/** A partner in its actual state. */
export interface KnownPartner {
  readonly id: string;
  readonly secretKey: string;
}

/**
 * Registers a partner, or resets an existing one to these settings. Rotates the Secret key when it is not known. Throws ManageCallFailed.
 */
export async function ensurePartner(manage: ManageCalls, kind: PartnerKind, wanted: WantedPartner): Promise<KnownPartner> {
  const { id, settings, secretKey } = wanted;
  const { collection, idField } = kind;
  if (id !== undefined) {
    const found = await manage.send('GET', `${collection}/${id}`, [200, 404]);
    if (found.status === 200) {
      await manage.send('PATCH', `${collection}/${id}`, [200], settings);
      if (secretKey !== undefined && isCurrent(found, secretKey)) return { id, secretKey };
      const rotated = await manage.send('POST', `${collection}/${id}/rotate`, [200, 201], { credential: 'secret_key' });
      return { id, secretKey: textIn(rotated, 'secret_key') };
    }
  }
  const created = await manage.send('POST', collection, [201], { ...settings, ...(id === undefined ? {} : { [idField]: id }) });
  return { id: textIn(created, idField), secretKey: textIn(created, 'secret_key') };
}

/** Whether this is the current Secret key, by fingerprint. */
function isCurrent({ body }: ManageAnswer, secretKey: string): boolean {
  const current = memberOf(memberOf(memberOf(body, 'credentials'), 'secret_key'), 'current');
  const fingerprint = `sha256:${createHash('sha256').update(secretKey).digest('hex').slice(0, 16)}`;
  return memberOf(current, 'fingerprint') === fingerprint;
}

function textIn({ body }: ManageAnswer, name: string): string {
  const value = memberOf(body, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new ManageCallFailed(`the manage API gave no ${name}`);
}
