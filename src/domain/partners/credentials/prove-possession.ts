import type { CredentialSlot, CredentialValue } from '../../credentials/credential';
import type { Possession, ProvableKind } from '../../credentials/possession';
import { withChanges } from '../../credentials/rotation';
import { type SignatureText, type SigningProviders } from '../../credentials/ports';
import type { SignatureAlgorithm, SignatureHash } from '../../credentials/signing/signature-settings';
import { InvalidInput } from '../../shared/errors';
import type { Secret } from '../../shared/secret';
import { auditEntry, type ChangeOrigin, type Partner, type RegistryDeps } from '../partner-draft';
import { UnknownCredentialValue, UnknownPartner } from '../registry-errors';

/** Identifies the value of a partner's credential. */
export interface ProvenSlot {
  readonly id: string;
  readonly credential: ProvableKind;
  readonly slot: Extract<CredentialSlot, 'current' | 'next'>;
}

export interface ProvePossessionCommand extends ProvenSlot, ChangeOrigin {
  readonly challenge: string;
  readonly signature: string;
}

/** The text to sign, and the algorithm to sign it with. */
export interface PossessionChallenge {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly fingerprint: string;
  readonly algorithm: SignatureAlgorithm;
  readonly hash: SignatureHash;
}

/** A sample signature that proves the platform's own key. */
export interface PlatformProof {
  readonly text: string;
  readonly signature: string;
  readonly value: CredentialValue;
}

interface Deps<P extends Partner> extends Omit<RegistryDeps<P>, 'keys' | 'secrets'> {
  readonly possession: Possession;
  readonly providers: SigningProviders;
  readonly signatureText: SignatureText;
}

/** Proves that a side holds its key: the partner by signing a challenge, the platform by signing a sample. */
export class ProvePossession<P extends Partner> {
  constructor(private readonly deps: Deps<P>) {}

  /**
   * Makes a challenge for the value in the slot, or for a given public key that is not stored yet. Throws UnknownPartner,
   * UnknownCredentialValue, and InvalidInput where the given text is no public key.
   */
  async challenge(target: ProvenSlot & { readonly given?: Secret | undefined }): Promise<PossessionChallenge> {
    const partner = await this.find(target.id);
    const value = target.given ? this.valueGiven(target.credential, target.given) : valueOf(partner, target);
    const { possession, clock } = this.deps;
    const { text, until } = possession.challenge({ partner, kind: target.credential, value }, clock.now());
    const algorithm = possession.algorithmOf({ kind: target.credential, value });
    return { text, until, fingerprint: value.fingerprint, algorithm, hash: partner.settings.signature.hash };
  }

  /** Stores that the partner proved the value. Throws UnknownPartner, UnknownCredentialValue, and InvalidInput where it did not. */
  async execute(command: ProvePossessionCommand): Promise<P> {
    const { credential, slot } = command;
    const partner = await this.find(command.id);
    const value = valueOf(partner, command);
    const now = this.deps.clock.now();
    const context = { settings: partner.settings.signature, now };
    await this.deps.possession.requireProof({ partner, kind: credential, value }, command, context);
    const proven = await this.deps.partners.update(command.id, (before) => {
      const present = valueOf(before, command);
      if (present.fingerprint !== value.fingerprint) throw new UnknownCredentialValue();
      const credentials = { [credential]: { [slot]: { ...present, provenAt: now } } };
      const after = { ...before, version: before.version + 1, credentials: withChanges(before.credentials, credentials) };
      const audit = auditEntry(this.deps, command, { what: 'credential-proven', id: before.id, before, after });
      return { settings: before.settings, credentials, audit };
    });
    if (!proven) throw new UnknownPartner(this.deps.kind);
    return proven;
  }

  /** Signs a text of our own with the platform's key, never a given one. Throws UnknownPartner and UnknownCredentialValue. */
  async sample({ id, slot }: Pick<ProvenSlot, 'id' | 'slot'>): Promise<PlatformProof> {
    const partner = await this.find(id);
    const value = partner.credentials.platform_key?.[slot];
    if (!value) throw new UnknownCredentialValue();
    const { hash, encoding } = partner.settings.signature;
    const { clock, possession, providers, signatureText } = this.deps;
    const text = `pierhead-sample:v1:${partner.kind}:${id}:${new Date(clock.now()).toISOString()}`;
    const algorithm = possession.algorithmOf({ kind: 'partner_public_key', value });
    const bytes = await providers[algorithm].sign({ text: new TextEncoder().encode(text), hash, key: value });
    return { text, signature: signatureText.encode(bytes, encoding), value };
  }

  private valueGiven(kind: ProvableKind, given: Secret): CredentialValue {
    if (kind !== 'partner_public_key') throw new InvalidInput([{ path: 'value', rule: 'is for partner_public_key' }]);
    const value = this.deps.intake.given(kind, given);
    if ('cause' in value) throw new InvalidInput([{ path: 'value', ...value }]);
    return value;
  }

  private async find(id: string): Promise<P> {
    const partner = await this.deps.partners.find(id);
    if (!partner) throw new UnknownPartner(this.deps.kind);
    return partner;
  }
}

function valueOf({ credentials }: Partner, { credential, slot }: Pick<ProvenSlot, 'credential' | 'slot'>): CredentialValue {
  const value = credentials[credential]?.[slot];
  if (!value) throw new UnknownCredentialValue();
  return value;
}
