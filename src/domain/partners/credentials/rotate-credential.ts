import type { CredentialKind, CredentialValue } from '../../credentials/credential';
import { KeyTaken } from '../../credentials/signing/key-rules';
import { secretKeyProblem } from '../../credentials/given-credentials';
import { cutShort, repeatProblem, rotated, type SlotChanges, withChanges } from '../../credentials/rotation';
import type { Possession } from '../../credentials/possession';
import type { SignatureAlgorithm } from '../../credentials/signing/signature-settings';
import { InvalidInput } from '../../shared/errors';
import type { Secret } from '../../shared/secret';
import { keySharing } from '../key-sharing/key-sharing';
import { auditEntry, type ChangeOrigin, type Partner, type RegistryDeps } from '../partner-draft';
import type { PartnerChange } from '../ports';
import { StaleVersion, UnknownPartner } from '../registry-errors';
import { requireValidCredential } from './valid-credential';

export interface RotateCredentialCommand extends ChangeOrigin {
  readonly id: string;
  readonly credential: CredentialKind;
  /** `current`: used at once. `next`: accepted at once, but used by us only after its promotion; the other slots stay as they are. */
  readonly slot: 'current' | 'next';
  /** Required for credentials that the partner makes. A secret key may be given; otherwise the service generates it. */
  readonly value?: Secret | undefined;
  /** The algorithm of a platform key. Absent: the one of the signature settings. */
  readonly algorithm?: 'RSA2' | 'ECDSA' | undefined;
  /** Whether the partner's public key may be one that another app has (contract/signatures#shared-keys). Absent: it may not. */
  readonly acknowledgesSharedKey?: boolean | undefined;
  /** A challenge for this value, signed with its private key. A partner needs it to share a key. */
  readonly proof?: { readonly challenge: string; readonly signature: string } | undefined;
  /** Seconds for which the replaced value stays accepted, 0 to 30 days. */
  readonly previousValidForS: number;
  /** Checks the stored version; throws to refuse the change. */
  readonly precondition?: (version: number) => void;
}

/** The partner with its new credential. */
export interface Rotation<P extends Partner> {
  readonly partner: P;
  /** A generated secret key, shown only this once. */
  readonly made?: Secret;
  /** The previous value whose grace period the rotation ended early. */
  readonly cutShort?: CredentialValue;
}

interface NewValue {
  readonly value: CredentialValue;
  readonly made?: Secret;
}

const invalid = (path: string, rule: string, cause?: string): InvalidInput =>
  new InvalidInput([{ path, rule, ...(cause !== undefined && { cause }) }]);

const isAsymmetric = (algorithm: SignatureAlgorithm | undefined): algorithm is 'RSA2' | 'ECDSA' =>
  algorithm === 'RSA2' || algorithm === 'ECDSA';

interface Deps<P extends Partner> extends RegistryDeps<P> {
  readonly possession: Possession;
}

/** Sets a new current or next value of a credential. Throws UnknownPartner, and InvalidInput where the value cannot be stored. */
export class RotateCredential<P extends Partner> {
  constructor(private readonly deps: Deps<P>) {}

  async execute(command: RotateCredentialCommand): Promise<Rotation<P>> {
    const present = await this.deps.partners.find(command.id);
    if (!present) throw new UnknownPartner(this.deps.kind);
    command.precondition?.(present.version);
    const now = this.deps.clock.now();
    const { value: unproven, made } = await this.newValue(command, present);
    const value = await this.proven(unproven, command, { present, now });
    const sharing = keySharing({
      isAcknowledged: command.acknowledgesSharedKey === true,
      byOperator: command.byOperator,
      isProven: value.provenAt !== undefined,
    });
    let cut: CredentialValue | undefined;

    const changing = this.deps.partners.update(command.id, (before) => {
      command.precondition?.(before.version);
      // The key pair was generated for an algorithm before this lock, so the algorithm must not have changed since.
      const madeFor = before.settings.signature.algorithm;
      if (command.credential === 'platform_key' && madeFor !== present.settings.signature.algorithm) throw new StaleVersion();
      const slots = before.credentials[command.credential];
      const changes = command.slot === 'next' ? { next: value } : rotated(slots, value, { ...command, now });
      cut = cutShort(slots, changes, now);
      this.requireAcceptable(before, value, command);
      return { ...this.changed(before, changes, command), sharing };
    });
    const partner = await changing.catch((error: unknown) => {
      throw error instanceof KeyTaken ? error.at('value') : error;
    });
    if (!partner) throw new UnknownPartner(this.deps.kind);
    return { partner, ...(made && { made }), ...(cut && { cutShort: cut }) };
  }

  private changed(before: P, changes: SlotChanges, command: RotateCredentialCommand): PartnerChange<P['settings']> {
    const what = command.slot === 'next' ? 'credential-staged' : 'credential-rotated';
    const credentials = { [command.credential]: changes };
    const after = { ...before, version: before.version + 1, credentials: withChanges(before.credentials, credentials) };
    const audit = auditEntry(this.deps, command, { what, id: before.id, before, after });
    return { settings: before.settings, credentials, audit };
  }

  /** Checks a `next` value as if it were the current one, because it will be promoted. */
  private requireAcceptable(before: P, value: CredentialValue, { credential }: RotateCredentialCommand): void {
    const repeated = repeatProblem(before.credentials[credential], value);
    if (repeated) throw invalid('value', repeated);
    const credentials = withChanges(before.credentials, { [credential]: { current: value } });
    requireValidCredential({ ...before, credentials }, { credential, path: 'value', keys: this.deps.keys });
  }

  /** Adds the time of the proof to the value, if a proof came with it. */
  private async proven(
    value: CredentialValue,
    { credential, proof }: RotateCredentialCommand,
    { present, now }: { readonly present: P; readonly now: number },
  ): Promise<CredentialValue> {
    if (!proof) return value;
    if (credential !== 'partner_public_key') throw invalid('challenge', 'is for partner_public_key');
    const proved = { partner: present, kind: credential, value };
    await this.deps.possession.requireProof(proved, proof, { settings: present.settings.signature, now });
    return { ...value, provenAt: now };
  }

  private async newValue(command: RotateCredentialCommand, present: P): Promise<NewValue> {
    const { credential, value, algorithm } = command;
    if (credential === 'host_app_secret_key' && this.deps.kind !== 'host-app') throw invalid('credential', 'is a credential of host apps');
    if (credential === 'platform_key') return this.newPlatformKey(command, present.settings.signature.algorithm);
    if (algorithm) throw invalid('algorithm', 'is for platform_key');
    if (credential === 'secret_key') return this.newSecretKey(value);
    if (!value) throw invalid('value', 'is required: the partner makes this credential');
    const kept = this.deps.intake.given(credential, value);
    if ('cause' in kept) throw invalid('value', kept.rule, kept.cause);
    return { value: kept };
  }

  private newSecretKey(value: Secret | undefined): NewValue {
    const { intake, secrets } = this.deps;
    if (!value) {
      const made = secrets.secretKey();
      return { value: intake.value(made), made };
    }
    const rule = secretKeyProblem(value.reveal());
    if (rule) throw invalid('value', rule);
    return { value: intake.value(value) };
  }

  private async newPlatformKey(
    { slot, value, algorithm }: RotateCredentialCommand,
    present: SignatureAlgorithm | undefined,
  ): Promise<NewValue> {
    if (value) throw invalid('value', 'must be absent: the service makes this key pair');
    const wanted = algorithm ?? present;
    if (!isAsymmetric(wanted)) throw invalid('credential', 'needs signature.algorithm RSA2 or ECDSA');
    // A current key signs at once, so a key for another algorithm must wait in the slot `next`.
    if (slot === 'current' && isAsymmetric(present) && wanted !== present)
      throw invalid('algorithm', `is ${present} now: use the slot next`);
    return { value: await this.deps.intake.newPlatformKey(wanted) };
  }
}
