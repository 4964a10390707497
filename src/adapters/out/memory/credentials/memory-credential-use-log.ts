import type { CredentialRef, CredentialUseLog } from '../../../../domain/credentials/ports';
import type { Clock } from '../../../../domain/shared/ports';

/** Last uses in memory, stored outside the partners' records so that those stay the same objects. */
export class MemoryCredentialUseLog implements CredentialUseLog {
  private readonly times = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  used(credential: CredentialRef): void {
    this.times.set(nameOf(credential), this.clock.now());
  }

  /** Milliseconds since the epoch; `undefined`: not used yet. */
  lastUsedAt(credential: CredentialRef): number | undefined {
    return this.times.get(nameOf(credential));
  }
}

const nameOf = ({ partner, id, kind, value }: CredentialRef): string => JSON.stringify([partner, id, kind, value.fingerprint]);
