import { requireIds } from '../../../domain/shared/required-id';
import type { ConsentEntry, ConsentKey } from '../../../domain/sso/consent';
import type { ConsentLedger } from '../../../domain/sso/ports';

type ConsentState = Pick<ConsentEntry, 'granted' | 'fields' | 'textVersion'>;

/** Consents in memory. */
export class MemoryConsentLedger implements ConsentLedger {
  private readonly states = new Map<string, ConsentState>();
  private ledger: ConsentEntry[] = [];

  async isGranted(key: ConsentKey): Promise<boolean> {
    return this.states.get(nameOf(key))?.granted ?? false;
  }

  async record(entry: ConsentEntry): Promise<void> {
    this.recordNow(entry);
  }

  async entries(key: ConsentKey): Promise<readonly ConsentEntry[]> {
    const name = nameOf(key);
    return this.ledger.filter((entry) => nameOf(entry) === name);
  }

  /** Forgets what a user consented to; how many states and entries were there. */
  remove(integrationIds: readonly string[], reference: string): { consents: number; consentEntries: number } {
    const before = this.ledger.length;
    const consents = integrationIds.filter((integrationId) => this.states.delete(nameOf({ integrationId, reference }))).length;
    this.ledger = this.ledger.filter((entry) => entry.reference !== reference || !integrationIds.includes(entry.integrationId));
    return { consents, consentEntries: before - this.ledger.length };
  }

  /** As record, at once: for a repository that commits it together with something else. */
  recordNow(entry: ConsentEntry): void {
    const name = nameOf(entry);
    const known = this.states.get(name);
    const next = known?.granted === entry.granted ? stillSaid(known, entry) : entry;
    if (known ? isEqual(known, next) : !entry.granted) return;
    const { granted, fields, textVersion } = next;
    this.states.set(name, { granted, fields, textVersion });
    this.ledger.push(entry);
  }
}

const nameOf = ({ integrationId, reference }: ConsentKey): string => {
  requireIds({ integrationId, reference });
  return JSON.stringify([integrationId, reference]);
};

/** An absent member keeps its earlier value. */
const stillSaid = (known: ConsentState, { granted, fields, textVersion }: ConsentState): ConsentState => ({
  granted,
  fields: fields ?? known.fields,
  textVersion: textVersion ?? known.textVersion,
});

const isEqual = (a: ConsentState, b: ConsentState): boolean =>
  a.granted === b.granted && a.textVersion === b.textVersion && JSON.stringify(a.fields) === JSON.stringify(b.fields);
