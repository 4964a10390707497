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

/** In the place of an address: those beyond the number that is told apart. */
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

/** What was counted of one address in one hour; `credential` is empty for the calls themselves. */
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
/** Host apps, and miniapps, of which addresses are remembered. */
const partnersAtMost = 10_000;
const rowsAtMost = 20_000;

/** What was heard of one partner in its last hour. */
interface Heard {
  readonly hour: number;
  readonly addresses: Set<string>;
  /** By credential and address: rows that were not drained yet, since `drains`. */
  rows: Map<string, Map<string, TallyRow>>;
  drains: number;
}

/**
 * Counts in bounded memory: what comes beyond the bounds is counted together, never lost while there is room for one row more. Each
 * call is counted, so a row is found by texts that are there already, never by one that would have to be made.
 */
export class CallerTally {
  private rows: TallyRow[] = [];
  private drains = 0;
  private heard = noneHeard();

  get isEmpty(): boolean {
    return this.rows.length === 0;
  }

  /** Counts one call at `now` (milliseconds since the epoch). */
  called({ partner, address, outcome, requestId }: ProvenCall, now: number): void {
    const row = this.row({ partner, credential: undefined, address }, now);
    if (!row) return;
    if (outcome === 'admitted') row.admitted++;
    else row.refused++;
    row.requestId = requestId;
  }

  /** Counts one use. What is used for calls of ours has no address and is nobody's call. */
  used({ partner: kind, id, kind: credential, value: { fingerprint }, address }: CredentialRef, now: number): void {
    if (address === undefined) return;
    const row = this.row({ partner: { kind, id }, credential: { kind: credential, fingerprint }, address }, now);
    if (row) row.admitted++;
  }

  /** What was counted since the last time, each address of an hour once, in the order in which every writer takes rows. */
  drain(): readonly TallyRow[] {
    const sums = [...summed(this.rows)].sort(([a], [b]) => (a < b ? -1 : 1));
    this.begin([]);
    return sums.map(([, row]) => row);
  }

  /** Takes back what could not be written. */
  restore(rows: readonly TallyRow[]): void {
    this.rows.push(...rows);
    if (this.rows.length > rowsAtMost) this.begin([...summed(this.rows).values()].slice(0, rowsAtMost));
  }

  /** Goes on with these rows; what is counted from now on makes new ones. */
  private begin(rows: TallyRow[]): void {
    this.rows = rows;
    this.drains++;
  }

  /** `undefined`: there is no room for another. */
  private row(of: Pick<TallyRow, 'partner' | 'credential' | 'address'>, now: number): TallyRow | undefined {
    const { partner, credential } = of;
    const heard = this.heardOf(partner, now - (now % hourMs));
    const address = isTold(heard, of.address) ? of.address : otherAddresses;
    const used = credential ? `${credential.kind}/${credential.fingerprint}` : '';
    let rows = heard.rows.get(used);
    if (!rows) heard.rows.set(used, (rows = new Map<string, TallyRow>()));
    let row = rows.get(address);
    if (!row) {
      if (this.rows.length >= rowsAtMost) return undefined;
      const { kind, id } = partner;
      row = { partner: { kind, id }, credential, address, hour: heard.hour, admitted: 0, refused: 0, lastAt: now, requestId: '' };
      rows.set(address, row);
      this.rows.push(row);
    }
    row.lastAt = now;
    return row;
  }

  private heardOf({ kind, id }: CheckedPartner, hour: number): Heard {
    let heard = this.heard[kind].get(id);
    if (heard?.hour !== hour) {
      if (this.heard[kind].size >= partnersAtMost) this.heard = noneHeard();
      heard = { hour, addresses: new Set(), rows: new Map(), drains: this.drains };
      this.heard[kind].set(id, heard);
    }
    if (heard.drains !== this.drains) {
      heard.rows = new Map();
      heard.drains = this.drains;
    }
    return heard;
  }
}

const noneHeard = (): Readonly<Record<CheckedPartner['kind'], Map<string, Heard>>> => ({ 'host-app': new Map(), miniapp: new Map() });

function isTold({ addresses }: Heard, address: string): boolean {
  if (addresses.has(address)) return true;
  if (addresses.size >= addressesAtMost) return false;
  addresses.add(address);
  return true;
}

/** One row for each address and hour, by its name. */
function summed(rows: readonly TallyRow[]): Map<string, TallyRow> {
  const sums = new Map<string, TallyRow>();
  for (const row of rows) {
    const name = nameOf(row);
    const sum = sums.get(name);
    if (sum) addTo(sum, row);
    else sums.set(name, row);
  }
  return sums;
}

function addTo(sum: TallyRow, row: TallyRow): void {
  sum.admitted += row.admitted;
  sum.refused += row.refused;
  if (row.lastAt >= sum.lastAt) [sum.lastAt, sum.requestId] = [row.lastAt, row.requestId];
}

const nameOf = ({ partner, credential, address, hour }: Pick<TallyRow, 'partner' | 'credential' | 'address' | 'hour'>): string =>
  `${partner.kind}|${partner.id}|${credential ? `${credential.kind}/${credential.fingerprint}` : ''}|${String(hour)}|${address}`;
