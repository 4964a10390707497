import {
  type CallerReader,
  type CallerCount,
  type CallerLog,
  maxCallers,
  CallerTally,
  type CredentialCaller,
  type ProvenCall,
  type TallyRow,
} from '../../../../domain/credentials/caller-tally';
import type { CredentialRef } from '../../../../domain/credentials/ports';
import type { CheckedPartner } from '../../../../domain/exchanges/exchange';
import type { Clock } from '../../../../domain/shared/ports';

const hourMs = 3_600_000;

/** Callers in memory, for as long as the process runs. */
export class MemoryCallerRepository implements CallerLog, CallerReader {
  private readonly tally = new CallerTally();
  private readonly rows: TallyRow[] = [];

  constructor(private readonly clock: Clock) {}

  called(call: ProvenCall): void {
    this.tally.called(call, this.clock.now());
  }

  used(credential: CredentialRef): void {
    this.tally.used(credential, this.clock.now());
  }

  async addresses(partner: CheckedPartner, since: number): Promise<readonly CallerCount[]> {
    const found = new Map<string, CallerCount>();
    for (const row of this.of(partner, since)) {
      if (row.credential) continue;
      const { admitted = 0, refused = 0, lastAt = 0, lastRequestId = '' } = found.get(row.address) ?? {};
      const isNewer = row.lastAt >= lastAt;
      found.set(row.address, {
        address: row.address,
        admitted: admitted + row.admitted,
        refused: refused + row.refused,
        lastAt: isNewer ? row.lastAt : lastAt,
        lastRequestId: isNewer ? row.requestId : lastRequestId,
      });
    }
    return latestFirst(found);
  }

  async credentialCallers(partner: CheckedPartner, since: number): Promise<readonly CredentialCaller[]> {
    const found = new Map<string, CredentialCaller>();
    for (const { credential, address, admitted, lastAt } of this.of(partner, since)) {
      if (!credential) continue;
      const name = `${credential.kind}/${credential.fingerprint} ${address}`;
      const before = found.get(name);
      found.set(name, {
        ...{ kind: credential.kind, fingerprint: credential.fingerprint, address },
        uses: (before?.uses ?? 0) + admitted,
        lastAt: Math.max(before?.lastAt ?? 0, lastAt),
      });
    }
    return latestFirst(found);
  }

  private of({ kind, id }: CheckedPartner, since: number): readonly TallyRow[] {
    this.rows.push(...this.tally.drain());
    return this.rows.filter(({ partner, hour }) => partner.kind === kind && partner.id === id && hour > since - hourMs);
  }
}

const latestFirst = <Row extends { readonly lastAt: number }>(found: ReadonlyMap<string, Row>): readonly Row[] =>
  [...found.values()].sort((a, b) => b.lastAt - a.lastAt).slice(0, maxCallers);
