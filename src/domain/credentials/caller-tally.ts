import type { CheckedPartner } from '../exchanges/exchange';
import type { CredentialKind } from './credential';
import type { CredentialRef, CredentialUseLog } from './ports';

/** A call that passed its credential checks, and whether the allowlist let it pass. */
export interface ProvenCall {
  readonly partner: CheckedPartner;
  /** The caller's address, with trusted proxies already resolved. */
  readonly address: string;
  readonly outcome: 'admitted' | 'refused';
  readonly requestId: string;
}

/** Records the addresses of calls and the credentials that they used. Returns at once and never fails; written in batches soon after. */
export interface CallerLog extends CredentialUseLog {
  called(call: ProvenCall): void;
}

/** Replaces all addresses beyond the number that is counted separately. */
export const otherAddresses = 'other';

/** Number of calls from an address. Times are milliseconds since the epoch. */
export interface CallerCount {
  readonly address: string;
  readonly admitted: number;
  /** Refusals by the allowlist only; other refusals are not counted, as anybody can cause them. */
  readonly refused: number;
  readonly lastAt: number;
  readonly lastRequestId: string;
}

/** An address that used a value of a credential. */
export interface CredentialCaller {
  readonly kind: CredentialKind;
  readonly fingerprint: string;
  readonly address: string;
  readonly uses: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

/**
 * Reads the counts by hour, kept for 31 days. Lists have at most 1,000 rows, the latest first; `since` is in milliseconds since the epoch.
 */
export interface CallerReader {
  addresses(partner: CheckedPartner, since: number): Promise<readonly CallerCount[]>;
  credentialCallers(partner: CheckedPartner, since: number): Promise<readonly CredentialCaller[]>;
}

/** Maximum number of rows in a list. */
export const maxCallers = 1000;

/** Counts of one address in one hour; `credential` is undefined for the calls themselves. */
export interface TallyRow {
  readonly partner: CheckedPartner;
  readonly credential: { readonly kind: CredentialKind; readonly fingerprint: string } | undefined;
  readonly address: string;
  /** When the hour began, in milliseconds since the epoch. */
  readonly hour: number;
  admitted: number;
  refused: number;
  lastAt: number;
  requestId: string;
}

const hourMs = 3_600_000;
/** Maximum number of addresses counted separately, per partner and hour. */
const maxAddresses = 256;
/** Maximum number of rows to be written: two, for calls and for a credential, for as many partners as records are cached. */
const maxPendingRows = 50_000;
/** Maximum number of partners and rows that are remembered. */
const maxKept = 75_000;

/** A row that is reused after each drain, so that many calling partners cause no garbage. */
interface KeptRow extends TallyRow {
  /** Whether it has counts that are not drained yet. */
  isPending: boolean;
  /** The next row of the same address. */
  readonly next: KeptRow | undefined;
}

/** Identifies a row. */
type CountedAs = Pick<TallyRow, 'partner' | 'credential' | 'address'>;

/** The counts of one partner in its last hour. */
interface PartnerCounts {
  readonly hour: number;
  /** Rows by address; each address has a list that begins with the newest. */
  readonly rows: Map<string, KeptRow>;
  /** The rows counted last, for calls and for credentials: a shortcut, as most partners call from one address with one credential. */
  lastCall: KeptRow | undefined;
  lastUse: KeptRow | undefined;
}

/**
 * Counts in bounded memory: beyond the limits, calls are counted together, and dropped only if no row is left. Every call is counted, so a
 * row is found by existing strings, without building a key.
 */
export class CallerTally {
  private pending: KeptRow[] = [];
  /** Rows that could not be written. */
  private restored: readonly TallyRow[] = [];
  /** Whether two pending rows may have the same address and hour. */
  private isMixed = false;
  /** Number of partners and rows that are remembered, including those of earlier hours. */
  private kept = 0;
  private partners = noPartners();

  get isEmpty(): boolean {
    return this.waiting === 0;
  }

  /** Counts one call at `now` (milliseconds since the epoch). */
  called({ partner, address, outcome, requestId }: ProvenCall, now: number): void {
    const row = this.row({ partner, credential: undefined, address }, now);
    if (!row) return;
    if (outcome === 'admitted') row.admitted++;
    else row.refused++;
    row.requestId = requestId;
  }

  /** Counts one use. Skips uses by our own calls, which have no address. */
  used({ partner: kind, id, kind: credential, value: { fingerprint }, address }: CredentialRef, now: number): void {
    if (address === undefined) return;
    const row = this.row({ partner: { kind, id }, credential: { kind: credential, fingerprint }, address }, now);
    if (row) row.admitted++;
  }

  /** Returns the counts since the last drain, one row per address and hour, in no particular order. */
  drain(): readonly TallyRow[] {
    const rows = this.pending.map(taken);
    const drained = this.isMixed || this.restored.length > 0 ? summed([...this.restored, ...rows]) : rows;
    [this.pending, this.restored, this.isMixed] = [[], [], false];
    if (this.kept > maxKept) [this.kept, this.partners] = [0, noPartners()];
    return drained;
  }

  /** Takes back rows that could not be written. */
  restore(rows: readonly TallyRow[]): void {
    this.restored = [...this.restored, ...rows];
    if (this.waiting > maxPendingRows) this.restored = this.drain().slice(0, maxPendingRows);
  }

  private get waiting(): number {
    return this.pending.length + this.restored.length;
  }

  private get isFull(): boolean {
    return this.waiting >= maxPendingRows;
  }

  /** Finds or adds a row; `undefined` when the limit is reached. */
  private row(of: CountedAs, now: number): TallyRow | undefined {
    const { partner, credential } = of;
    const counts = this.countsOf(partner, now - (now % hourMs));
    const last = credential ? counts.lastUse : counts.lastCall;
    const row = last?.address === of.address && isOfCredential(last, of) ? last : this.rowIn(counts, of);
    if (!row || (!row.isPending && this.isFull)) return undefined;
    if (credential) counts.lastUse = row;
    else counts.lastCall = row;
    if (!row.isPending) this.pending.push(row);
    row.isPending = true;
    row.lastAt = now;
    return row;
  }

  private rowIn(counts: PartnerCounts, of: CountedAs): KeptRow | undefined {
    const address = isListed(counts, of.address) ? of.address : otherAddresses;
    const newest = counts.rows.get(address);
    for (let row = newest; row; row = row.next) if (isOfCredential(row, of)) return row;
    return this.isFull ? undefined : this.keep(counts, { ...of, address }, newest);
  }

  private keep(
    { hour, rows }: PartnerCounts,
    { partner: { kind, id }, credential, address }: CountedAs,
    next: KeptRow | undefined,
  ): KeptRow {
    const partner = { kind, id };
    const row = { partner, credential, address, hour, admitted: 0, refused: 0, lastAt: 0, requestId: '', isPending: false, next };
    rows.set(address, row);
    this.kept++;
    return row;
  }

  private countsOf({ kind, id }: CheckedPartner, hour: number): PartnerCounts {
    const known = this.partners[kind].get(id);
    if (known?.hour === hour) return known;
    // The pending counts of the previous hour stay pending, beside the new ones.
    this.isMixed = true;
    const counts = { hour, rows: new Map<string, KeptRow>(), lastCall: undefined, lastUse: undefined };
    this.partners[kind].set(id, counts);
    this.kept++;
    return counts;
  }
}

const noPartners = (): Readonly<Record<CheckedPartner['kind'], Map<string, PartnerCounts>>> => ({
  'host-app': new Map(),
  miniapp: new Map(),
});

const isOfCredential = (row: KeptRow, { credential }: CountedAs): boolean =>
  row.credential?.fingerprint === credential?.fingerprint && row.credential?.kind === credential?.kind;

const isListed = ({ rows }: PartnerCounts, address: string): boolean => rows.has(address) || rows.size < maxAddresses;

/** Returns the counts of a row, and resets it. */
function taken(row: KeptRow): TallyRow {
  const { partner, credential, address, hour, admitted, refused, lastAt, requestId } = row;
  [row.admitted, row.refused, row.isPending] = [0, 0, false];
  return { partner, credential, address, hour, admitted, refused, lastAt, requestId };
}

/** Adds up rows with the same address and hour. */
function summed(rows: readonly TallyRow[]): readonly TallyRow[] {
  const sums = new Map<string, TallyRow>();
  for (const row of rows) {
    const name = nameOf(row);
    const sum = sums.get(name);
    if (sum) addTo(sum, row);
    else sums.set(name, row);
  }
  return [...sums.values()];
}

function addTo(sum: TallyRow, row: TallyRow): void {
  sum.admitted += row.admitted;
  sum.refused += row.refused;
  if (row.lastAt >= sum.lastAt) [sum.lastAt, sum.requestId] = [row.lastAt, row.requestId];
}

const nameOf = ({ partner, credential, address, hour }: Pick<TallyRow, 'partner' | 'credential' | 'address' | 'hour'>): string =>
  `${partner.kind}|${partner.id}|${credential ? `${credential.kind}/${credential.fingerprint}` : ''}|${String(hour)}|${address}`;
