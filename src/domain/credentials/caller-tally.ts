import type { CheckedPartner } from '../exchanges/exchange';
import type { CredentialKind } from './credential';
import type { CredentialRef, CredentialUses } from './ports';

/** A call that proved whose it is, and whether the allowlist let it pass. */
export interface ProvenCall {
  readonly partner: CheckedPartner;
  /** Where it came from, behind trusted proxies already resolved. */
  readonly address: string;
  readonly outcome: 'admitted' | 'refused';
  readonly requestId: string;
}

/** Hears where calls come from, and with which credentials. Returns at once and never fails; written in groups soon after. */
export interface CallerLog extends CredentialUses {
  called(call: ProvenCall): void;
}

/** Stands for all addresses beyond the number that is counted separately. */
export const otherAddresses = 'other';

/** An address that called, and how often. Times are milliseconds since the epoch. */
export interface CallerCount {
  readonly address: string;
  readonly admitted: number;
  /** By the allowlist; refusals for other reasons are not counted, as anybody can make them. */
  readonly refused: number;
  readonly lastAt: number;
  readonly lastRequestId: string;
}

/** An address that used one value of a credential. */
export interface CredentialCaller {
  readonly kind: CredentialKind;
  readonly fingerprint: string;
  readonly address: string;
  readonly uses: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

/** Where calls came from, by the hour, for 31 days. Lists hold 1,000 rows at most, the latest first; `since` is in milliseconds since the epoch. */
export interface CallerBook {
  addresses(partner: CheckedPartner, since: number): Promise<readonly CallerCount[]>;
  credentialCallers(partner: CheckedPartner, since: number): Promise<readonly CredentialCaller[]>;
}

/** Rows that a list of the book holds at most. */
export const callersAtMost = 1000;

/** Counts of one address in one hour; `credential` is empty for the calls themselves. */
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
/** Addresses of one partner and hour that are told apart. */
const addressesAtMost = 256;
/** Rows that wait: two, of the calls and of a credential, for as many partners as records are held of. */
const rowsAtMost = 50_000;
/** Partners and rows that are remembered. */
const keptAtMost = 75_000;

/** A row that goes on counting when what it has counted is drained: many partners that call make no garbage of it. */
interface KeptRow extends TallyRow {
  /** Something was counted that was not drained yet. */
  isPending: boolean;
  /** Another of the same address. */
  readonly next: KeptRow | undefined;
}

/** By which a row is found. */
type CountedAs = Pick<TallyRow, 'partner' | 'credential' | 'address'>;

/** Counts of one partner in its last hour. */
interface Heard {
  readonly hour: number;
  /** By address, the newest of its rows. */
  readonly rows: Map<string, KeptRow>;
  /** Of these the one that counted last, of the calls and of credentials: most who call do so from one address, with one credential. */
  lastCall: KeptRow | undefined;
  lastUse: KeptRow | undefined;
}

/**
 * Counts in bounded memory: calls beyond the bounds are counted together, never lost while there is room for one row more. Each
 * call is counted, so a row is found by texts that are there already, never by one that would have to be made.
 */
export class CallerTally {
  private pending: KeptRow[] = [];
  /** What could not be written. */
  private restored: readonly TallyRow[] = [];
  /** Two of the pending rows may be of one address and hour. */
  private isMixed = false;
  /** Partners and rows that are remembered, those of hours before among them. */
  private kept = 0;
  private heard = noneHeard();

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

  /** Counts one use. A use for our own calls has no address and is nobody's call. */
  used({ partner: kind, id, kind: credential, value: { fingerprint }, address }: CredentialRef, now: number): void {
    if (address === undefined) return;
    const row = this.row({ partner: { kind, id }, credential: { kind: credential, fingerprint }, address }, now);
    if (row) row.admitted++;
  }

  /** Counts since the last time, each address of an hour once; in no particular order. */
  drain(): readonly TallyRow[] {
    const rows = this.pending.map(taken);
    const drained = this.isMixed || this.restored.length > 0 ? summed([...this.restored, ...rows]) : rows;
    [this.pending, this.restored, this.isMixed] = [[], [], false];
    if (this.kept > keptAtMost) [this.kept, this.heard] = [0, noneHeard()];
    return drained;
  }

  /** Takes back what could not be written. */
  restore(rows: readonly TallyRow[]): void {
    this.restored = [...this.restored, ...rows];
    if (this.waiting > rowsAtMost) this.restored = this.drain().slice(0, rowsAtMost);
  }

  private get waiting(): number {
    return this.pending.length + this.restored.length;
  }

  private get isFull(): boolean {
    return this.waiting >= rowsAtMost;
  }

  /** `undefined`: there is no room for another. */
  private row(of: CountedAs, now: number): TallyRow | undefined {
    const { partner, credential } = of;
    const heard = this.heardOf(partner, now - (now % hourMs));
    const last = credential ? heard.lastUse : heard.lastCall;
    const row = last?.address === of.address && isOfCredential(last, of) ? last : this.rowIn(heard, of);
    if (!row || (!row.isPending && this.isFull)) return undefined;
    if (credential) heard.lastUse = row;
    else heard.lastCall = row;
    if (!row.isPending) this.pending.push(row);
    row.isPending = true;
    row.lastAt = now;
    return row;
  }

  private rowIn(heard: Heard, of: CountedAs): KeptRow | undefined {
    const address = isTold(heard, of.address) ? of.address : otherAddresses;
    const newest = heard.rows.get(address);
    for (let row = newest; row; row = row.next) if (isOfCredential(row, of)) return row;
    return this.isFull ? undefined : this.keep(heard, { ...of, address }, newest);
  }

  private keep({ hour, rows }: Heard, { partner: { kind, id }, credential, address }: CountedAs, next: KeptRow | undefined): KeptRow {
    const partner = { kind, id };
    const row = { partner, credential, address, hour, admitted: 0, refused: 0, lastAt: 0, requestId: '', isPending: false, next };
    rows.set(address, row);
    this.kept++;
    return row;
  }

  private heardOf({ kind, id }: CheckedPartner, hour: number): Heard {
    const known = this.heard[kind].get(id);
    if (known?.hour === hour) return known;
    // Its pending counts stay pending, beside new ones.
    this.isMixed = true;
    const heard = { hour, rows: new Map<string, KeptRow>(), lastCall: undefined, lastUse: undefined };
    this.heard[kind].set(id, heard);
    this.kept++;
    return heard;
  }
}

const noneHeard = (): Readonly<Record<CheckedPartner['kind'], Map<string, Heard>>> => ({ 'host-app': new Map(), miniapp: new Map() });

const isOfCredential = (row: KeptRow, { credential }: CountedAs): boolean =>
  row.credential?.fingerprint === credential?.fingerprint && row.credential?.kind === credential?.kind;

const isTold = ({ rows }: Heard, address: string): boolean => rows.has(address) || rows.size < addressesAtMost;

/** What a row has counted; it begins anew. */
function taken(row: KeptRow): TallyRow {
  const { partner, credential, address, hour, admitted, refused, lastAt, requestId } = row;
  [row.admitted, row.refused, row.isPending] = [0, 0, false];
  return { partner, credential, address, hour, admitted, refused, lastAt, requestId };
}

/** One row for each address and hour. */
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
