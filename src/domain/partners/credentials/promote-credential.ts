import type { CredentialKind, CredentialValue } from '../../credentials/credential';
import { keyProblem } from '../../credentials/signing/key-rules';
import { cutShort, promoted, withChanges } from '../../credentials/rotation';
import { InvalidInput } from '../../shared/errors';
import { auditEntry, type ChangeOrigin, type Partner, type RegistryDeps } from '../partner-draft';
import { UnknownCredentialValue, UnknownPartner } from '../registry-errors';
import type { Rotation } from './rotate-credential';
import { requireValidCredential } from './valid-credential';

export interface PromoteCredentialCommand extends ChangeOrigin {
  readonly id: string;
  readonly credential: CredentialKind;
  /** Seconds for which the replaced value stays accepted, 0 to 30 days. */
  readonly previousValidForS: number;
  /** Checks the stored version; throws to refuse the change. */
  readonly precondition?: (version: number) => void;
}

/**
 * Promotes the next value of a credential: next becomes current, current previous. Throws UnknownPartner, UnknownCredentialValue,
 * InvalidInput.
 */
export class PromoteCredential<P extends Partner> {
  constructor(private readonly deps: RegistryDeps<P>) {}

  async execute(command: PromoteCredentialCommand): Promise<Rotation<P>> {
    const { credential, previousValidForS } = command;
    const now = this.deps.clock.now();
    let cut: CredentialValue | undefined;
    const partner = await this.deps.partners.update(command.id, (before) => {
      command.precondition?.(before.version);
      const slots = before.credentials[credential];
      const changes = promoted(slots, { now, previousValidForS });
      if (!changes) throw new UnknownCredentialValue();
      cut = cutShort(slots, changes, now);
      const credentials = { [credential]: changes };
      const after = { ...before, version: before.version + 1, credentials: withChanges(before.credentials, credentials) };
      this.requireValid(after, credential);
      return {
        settings: before.settings,
        credentials,
        audit: auditEntry(this.deps, command, { what: 'credential-promoted', id: before.id, before, after }),
      };
    });
    if (!partner) throw new UnknownPartner(this.deps.kind);
    return { partner, ...(cut && { cutShort: cut }) };
  }

  /**
   * Checks again, because settings may have changed since the value was stored. A platform key for another algorithm is promoted with that
   * change.
   */
  private requireValid(after: P, credential: CredentialKind): void {
    const { keys } = this.deps;
    requireValidCredential(after, { credential, path: 'credential', keys });
    const { algorithm } = after.settings.signature;
    const publicKey = after.credentials.platform_key?.current?.publicKey;
    if (credential !== 'platform_key' || publicKey === undefined || algorithm === 'HMAC') return;
    if (keyProblem(keys.read(publicKey), { algorithm }) === undefined) return;
    throw new InvalidInput([{ path: 'credential', rule: 'waits for another signature.algorithm: a change of that takes it up' }]);
  }
}
