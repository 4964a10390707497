import type { CredentialSlot, CredentialValue } from '../credentials/credential';
import type { Possession, ProvableKind } from '../credentials/possession';
import { withChanges } from '../credentials/rotation';
import { type SignatureText, type SigningProviders } from '../credentials/ports';
import type { SignatureAlgorithm, SignatureHash } from '../credentials/signature-settings';
import { InvalidInput } from '../shared/errors';
import type { Secret } from '../shared/secret';
import { auditEntry, type ChangeOrigin, type Partner, type RegistryDeps } from './partner-draft';
import { UnknownCredentialValue, UnknownPartner } from './registry-errors';

/** Which value of whose credential. */
export interface ProvenSlot {
  readonly id: string;
  readonly credential: ProvableKind;
  readonly slot: Extract<CredentialSlot, 'current' | 'next'>;
}

export interface ProvePossessionCommand extends ProvenSlot, ChangeOrigin {
  readonly challenge: string;
  readonly signature: string;
}

/** A text to be signed, and how. */
export interface PossessionChallenge {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly fingerprint: string;
  readonly algorithm: SignatureAlgorithm;
  readonly hash: SignatureHash;
}

/** What the platform signs to prove its own key. */
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

/** Proofs that the right side holds a key: the partner's by its answer, the platform's by a sample. */
export class ProvePossession<P extends Partner> {
  constructor(private readonly deps: Deps<P>) {}

  /**
   * A text to be signed with what stands in the slot, or with the public key that is given and not stored yet. Throws UnknownPartner,
   * UnknownCredentialValue, and InvalidInput where the given text is no public key.
   */
  async challenge(asked: ProvenSlot & { readonly given?: Secret | undefined }): Promise<PossessionChallenge> {
    const partner = await this.find(asked.id);
    const value = asked.given ? this.valueGiven(asked.credential, asked.given) : valueOf(partner, asked);
    const { possession, clock } = this.deps;
    const { text, until } = possession.challenge({ partner, kind: asked.credential, value }, clock.now());
    const algorithm = possession.algorithmOf({ kind: asked.credential, value });
    return { text, until, fingerprint: value.fingerprint, algorithm, hash: partner.settings.signature.hash };
  }

  /** Notes that the value was proved. Throws UnknownPartner, UnknownCredentialValue, and InvalidInput where it was not. */
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

  /** Signs a text of ours, never one that is given, with the platform's key. Throws UnknownPartner and UnknownCredentialValue. */
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
