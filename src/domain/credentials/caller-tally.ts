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
const partnersAtMost = 10_000;
const rowsAtMost = 20_000;

interface Heard {
  readonly hour: number;
  readonly addresses: Set<string>;
}

/** Counts in bounded memory: what comes beyond the bounds is counted together, never lost while there is room for one row more. */
export class CallerTally {
  private rows = new Map<string, TallyRow>();
  private readonly heard = new Map<string, Heard>();

  get isEmpty(): boolean {
    return this.rows.size === 0;
  }

  /** Counts one call at `now` (milliseconds since the epoch). */
  called({ partner, address, outcome, requestId }: ProvenCall, now: number): void {
    const row = this.row(partner, undefined, address, now);
    if (!row) return;
    if (outcome === 'admitted') row.admitted++;
    else row.refused++;
    row.requestId = requestId;
  }

  /** Counts one use. What is used for calls of ours has no address and is nobody's call. */
  used({ partner: kind, id, kind: credential, value: { fingerprint }, address }: CredentialRef, now: number): void {
    if (address === undefined) return;
    const row = this.row({ kind, id }, { kind: credential, fingerprint }, address, now);
    if (row) row.admitted++;
  }

  /** What was counted since the last time, in the order in which every writer takes rows. */
  drain(): readonly TallyRow[] {
    const rows = [...this.rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    this.rows = new Map();
    return rows;
  }

  /** Takes back what could not be written. */
  restore(rows: readonly TallyRow[]): void {
    for (const { partner, credential, address, hour, ...counts } of rows) {
      const row = this.rowOf({ partner, credential, address, hour, ...counts, admitted: 0, refused: 0 });
      if (!row) continue;
      row.admitted += counts.admitted;
      row.refused += counts.refused;
      row.lastAt = Math.max(row.lastAt, counts.lastAt);
    }
  }

  private row(partner: CheckedPartner, credential: TallyRow['credential'], address: string, now: number): TallyRow | undefined {
    const hour = now - (now % hourMs);
    const told = this.isTold(partner, address, hour) ? address : otherAddresses;
    const name = nameOf({ partner, credential, address: told, hour });
    let row = this.rows.get(name);
    if (!row) {
      const { kind, id } = partner;
      row = { partner: { kind, id }, credential, address: told, hour, admitted: 0, refused: 0, lastAt: now, requestId: '' };
      if (!this.add(name, row)) return undefined;
    }
    row.lastAt = now;
    return row;
  }

  private rowOf(fresh: TallyRow): TallyRow | undefined {
    const name = nameOf(fresh);
    return this.rows.get(name) ?? (this.add(name, fresh) ? fresh : undefined);
  }

  /** False: there is no room for another. */
  private add(name: string, row: TallyRow): boolean {
    if (this.rows.size >= rowsAtMost) return false;
    this.rows.set(name, row);
    return true;
  }

  private isTold({ kind, id }: CheckedPartner, address: string, hour: number): boolean {
    const name = `${kind}:${id}`;
    let heard = this.heard.get(name);
    if (heard?.hour !== hour) {
      if (this.heard.size >= partnersAtMost) this.heard.clear();
      heard = { hour, addresses: new Set() };
      this.heard.set(name, heard);
    }
    if (heard.addresses.has(address)) return true;
    if (heard.addresses.size >= addressesAtMost) return false;
    heard.addresses.add(address);
    return true;
  }
}

const nameOf = ({ partner, credential, address, hour }: Pick<TallyRow, 'partner' | 'credential' | 'address' | 'hour'>): string =>
  `${partner.kind}|${partner.id}|${credential ? `${credential.kind}/${credential.fingerprint}` : ''}|${String(hour)}|${address}`;
