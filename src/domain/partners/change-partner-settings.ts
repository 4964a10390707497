import { preparedPlatformKey } from '../credentials/signing/prepared-key';
import { withChanges } from '../credentials/rotation';
import { same } from '../shared/same';
import { keySharing } from './key-sharing/key-sharing';
import { acceptDraft, auditEntry, type ChangeOrigin, type Partner, type PartnerDraft, type RegistryDeps } from './partner-draft';
import type { CredentialChanges } from './ports';
import { StaleVersion, UnknownPartner } from './registry-errors';

export interface ChangePartnerSettingsCommand<P extends Partner> extends ChangeOrigin {
  readonly id: string;
  /** Checks the stored version; throws to refuse the change. */
  readonly precondition?: (version: number) => void;
  /** Makes the wanted state from the stored one. */
  readonly edit: (partner: P) => PartnerDraft<P['settings']>;
}

const attempts = 5;

/**
 * Changes a partner's settings, and the credentials sent with them. A change without an effect writes nothing. Throws UnknownPartner,
 * InvalidInput with every problem, StaleVersion where others keep changing the same record.
 */
export class ChangePartnerSettings<P extends Partner> {
  constructor(private readonly deps: RegistryDeps<P>) {}

  async execute(command: ChangePartnerSettingsCommand<P>): Promise<P> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(command);
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
        if (attempt === attempts) throw new StaleVersion();
      }
    }
  }

  /**
   * Prepares the change on the record as read, and writes it only if that is still current, so that no key pair is generated under a lock.
   */
  private async attempt(command: ChangePartnerSettingsCommand<P>): Promise<P> {
    const present = await this.deps.partners.find(command.id);
    if (!present) throw new UnknownPartner(this.deps.kind);
    command.precondition?.(present.version);
    const draft = command.edit(present);
    const given = acceptDraft<P>(this.deps, draft, present.credentials);
    const prepared = preparedPlatformKey(draft.settings.signature, present.credentials, {
      keys: this.deps.keys,
      now: this.deps.clock.now(),
    });
    const made = await this.deps.intake.platformKey(draft.settings.signature, withChanges(present.credentials, prepared));
    const credentials: CredentialChanges = { ...given, ...prepared, ...made };
    if (Object.keys(credentials).length === 0 && same(draft.settings, present.settings)) return present;

    const changed = await this.deps.partners.update(command.id, (partner) => {
      if (partner.version !== present.version) throw new Overtaken();
      const after = {
        ...partner,
        version: partner.version + 1,
        settings: draft.settings,
        credentials: withChanges(partner.credentials, credentials),
      };
      const audit = auditEntry(this.deps, command, { what: 'changed', id: partner.id, before: partner, after });
      const sharing = keySharing({ isAcknowledged: draft.acknowledgesSharedKey === true, byOperator: command.byOperator });
      return { settings: draft.settings, credentials, audit, sharing };
    });
    if (!changed) throw new UnknownPartner(this.deps.kind);
    return changed;
  }
}

class Overtaken extends Error {}
