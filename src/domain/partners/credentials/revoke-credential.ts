import type { CredentialKind, CredentialSlot } from '../../credentials/credential';
import { withChanges } from '../../credentials/rotation';
import { auditEntry, type ChangeOrigin, type Partner, type RegistryDeps } from '../partner-draft';
import { UnknownCredentialValue, UnknownPartner } from '../registry-errors';

export interface RevokeCredentialCommand extends ChangeOrigin {
  readonly id: string;
  readonly credential: CredentialKind;
  readonly which: CredentialSlot;
  /** Checks the stored version; throws to refuse the change. */
  readonly precondition?: (version: number) => void;
}

/** Removes a value of a credential at once. Throws UnknownPartner and UnknownCredentialValue. */
export class RevokeCredential<P extends Partner> {
  constructor(private readonly deps: RegistryDeps<P>) {}

  async execute(command: RevokeCredentialCommand): Promise<P> {
    const { credential, which } = command;
    const partner = await this.deps.partners.update(command.id, (before) => {
      command.precondition?.(before.version);
      if (!before.credentials[credential]?.[which]) throw new UnknownCredentialValue();
      const credentials = { [credential]: { [which]: undefined } };
      const after = { ...before, version: before.version + 1, credentials: withChanges(before.credentials, credentials) };
      return {
        settings: before.settings,
        credentials,
        audit: auditEntry(this.deps, command, { what: 'credential-revoked', id: before.id, before, after }),
      };
    });
    if (!partner) throw new UnknownPartner(this.deps.kind);
    return partner;
  }
}
