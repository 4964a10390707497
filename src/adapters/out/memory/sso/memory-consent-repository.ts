import { requireIds } from '../../../../domain/shared/required-id';
import type { ConsentEntry, ConsentKey } from '../../../../domain/sso/consent';
import type { ConsentRepository } from '../../../../domain/sso/ports';
import type { UserKey } from '../../../../domain/sso/user-data';

type ConsentState = Pick<ConsentEntry, 'granted' | 'fields' | 'textVersion'>;

/** Consents in memory. */
export class MemoryConsentRepository implements ConsentRepository {
  private readonly states = new Map<string, ConsentState>();
  private repository: ConsentEntry[] = [];

  async isGranted(key: ConsentKey): Promise<boolean> {
    return this.states.get(nameOf(key))?.granted ?? false;
  }

  async record(entry: ConsentEntry): Promise<void> {
    this.recordNow(entry);
  }

  async entries(key: ConsentKey): Promise<readonly ConsentEntry[]> {
    const name = nameOf(key);
    return this.repository.filter((entry) => nameOf(entry) === name);
  }

  /** Removes the consents of a user; returns the number of removed states and entries. */
  remove(user: UserKey): { consents: number; consentEntries: number } {
    const before = this.repository.length;
    const isOfUser = (entry: ConsentEntry): boolean => entry.clientId === user.clientId && entry.reference === user.reference;
    const names = new Set(this.repository.filter(isOfUser).map(nameOf));
    for (const name of names) this.states.delete(name);
    this.repository = this.repository.filter((entry) => !isOfUser(entry));
    return { consents: names.size, consentEntries: before - this.repository.length };
  }

  /** Like `record`, but synchronous, for a repository that commits it together with another change. */
  recordNow(entry: ConsentEntry): void {
    const name = nameOf(entry);
    const known = this.states.get(name);
    const next = known?.granted === entry.granted ? isUnchanged(known, entry) : entry;
    if (known ? isEqual(known, next) : !entry.granted) return;
    const { granted, fields, textVersion } = next;
    this.states.set(name, { granted, fields, textVersion });
    this.repository.push(entry);
  }
}

const nameOf = ({ clientId, integrationId, reference }: ConsentKey): string => {
  requireIds({ clientId, integrationId, reference });
  return JSON.stringify([clientId, integrationId, reference]);
};

/** An absent member keeps its earlier value. */
const isUnchanged = (known: ConsentState, { granted, fields, textVersion }: ConsentState): ConsentState => ({
  granted,
  fields: fields ?? known.fields,
  textVersion: textVersion ?? known.textVersion,
});

const isEqual = (a: ConsentState, b: ConsentState): boolean =>
  a.granted === b.granted && a.textVersion === b.textVersion && JSON.stringify(a.fields) === JSON.stringify(b.fields);
