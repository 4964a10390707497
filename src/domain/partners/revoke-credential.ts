import type { CredentialKind } from '../credentials/credential';
import { withChanges } from '../credentials/rotation';
import { DomainError } from '../shared/errors';
import { auditEntry, type ChangeOrigin, type Partner, type RegistryDeps } from './partner-draft';
import { UnknownPartner } from './registry-errors';

export interface RevokeCredentialCommand extends ChangeOrigin {
  readonly id: string;
  readonly credential: CredentialKind;
  readonly which: 'current' | 'previous';
}

/** The partner has no such value, or has it no more. */
export class NothingToRevoke extends DomainError {
  constructor() {
    super('invalid', 'INVALID_INPUT', 'There is no such value of this credential', { side: 'platform' });
  }
}

/** Takes a value of a credential away, at once. Throws UnknownPartner and NothingToRevoke. */
export class RevokeCredential<P extends Partner> {
  constructor(private readonly deps: RegistryDeps<P>) {}

  async execute(command: RevokeCredentialCommand): Promise<P> {
    const { credential, which } = command;
    const partner = await this.deps.partners.update(command.id, (before) => {
      if (!before.credentials[credential]?.[which]) throw new NothingToRevoke();
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
