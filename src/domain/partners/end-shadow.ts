import type { Credentials, CredentialValue } from '../credentials/credential';
import { keyProblem } from '../credentials/key-rules';
import type { KeyImport } from '../credentials/ports';
import { preparedPlatformKey } from '../credentials/prepared-key';
import { promoted, rotated, type SlotChanges, withChanges } from '../credentials/rotation';
import { signingKind } from '../credentials/shadow-trial';
import { missingSignatureSettings, signatureProblems } from '../credentials/signature-rules';
import type { SignatureSettings } from '../credentials/signature-settings';
import type { SignatureShadow } from '../credentials/signature-shadow';
import { InvalidInput } from '../shared/errors';
import { auditEntry, type ChangeOrigin, type Partner } from './partner-draft';
import type { CredentialChanges } from './ports';
import { UnknownPartner, UnknownShadow } from './registry-errors';
import type { ShadowDeps } from './set-shadow';

export interface EndShadowCommand extends ChangeOrigin {
  readonly id: string;
  /** Whether the change may be made to this version; throws where not. */
  readonly precondition?: (version: number) => void;
}

/** Tries the settings no more; the keys that came with them stay where they are. Throws UnknownPartner, UnknownShadow. */
export class EndShadow<P extends Partner> {
  constructor(private readonly deps: ShadowDeps<P>) {}

  async execute(command: EndShadowCommand): Promise<P> {
    const partner = await this.deps.partners.update(command.id, (before) => {
      command.precondition?.(before.version);
      const { signatureShadow: shadow, ...settings } = before.settings;
      if (!shadow) throw new UnknownShadow();
      const after = { ...before, version: before.version + 1, settings };
      return { settings, audit: auditEntry(this.deps, command, { what: 'shadow-ended', id: before.id, before, after }) };
    });
    if (!partner) throw new UnknownPartner(this.deps.kind);
    return partner;
  }
}

export interface PromoteShadowCommand extends EndShadowCommand {
  /** Seconds for which the settings that are stored now, and their keys, stay accepted; 0: not at all. */
  readonly previousValidForS: number;
}

/**
 * Takes up the settings that were tried: from now on calls are signed with them, too. Those before become the shadow, accepted
 * for a time: who still signs with them is let in, and to promote once more is the way back. Throws UnknownPartner,
 * UnknownShadow, InvalidInput. Source: ADR 036.
 */
export class PromoteShadow<P extends Partner> {
  constructor(private readonly deps: ShadowDeps<P>) {}

  async execute(command: PromoteShadowCommand): Promise<P> {
    const { previousValidForS } = command;
    const replacement = { now: this.deps.clock.now(), previousValidForS };
    const partner = await this.deps.partners.update(command.id, (before) => {
      command.precondition?.(before.version);
      const { signatureShadow: shadow, ...rest } = before.settings;
      if (!shadow) throw new UnknownShadow();
      const credentials = keysTakenUp(before.credentials, shadow, { ...replacement, keys: this.deps.keys });
      const way = previousValidForS > 0 && rest.signature.enabled ? this.wayBack(rest.signature, shadow, replacement) : undefined;
      const settings = { ...rest, signature: shadow.signature, ...(way && { signatureShadow: way }) };
      const after = { ...before, version: before.version + 1, settings, credentials: withChanges(before.credentials, credentials) };
      this.requireSound(after);
      return { settings, credentials, audit: auditEntry(this.deps, command, { what: 'shadow-promoted', id: before.id, before, after }) };
    });
    if (!partner) throw new UnknownPartner(this.deps.kind);
    return partner;
  }

  private wayBack(signature: SignatureSettings, shadow: SignatureShadow, { now, previousValidForS }: Replacing): SignatureShadow {
    const isReplaced = shadow.keySlot !== 'current' && signingKind(signature) === signingKind(shadow.signature);
    const until = now + previousValidForS * 1000;
    return { id: this.deps.ids.next(), mode: 'accept', signature, keySlot: isReplaced ? 'previous' : 'current', since: now, until };
  }

  /** Settings and keys may have changed since they were first tried. */
  private requireSound({ settings: { signature }, credentials }: P): void {
    const problems = signatureProblems(signature, credentials, this.deps.keys);
    for (const direction of ['in', 'out'] as const) {
      const missing = missingSignatureSettings(signature, credentials, direction);
      problems.push(...missing.map((name) => ({ path: `signature.${name}`, rule: 'is missing: calls could not be signed' })));
    }
    if (problems.length > 0) throw new InvalidInput(problems);
  }
}

interface Replacing {
  readonly now: number;
  readonly previousValidForS: number;
}

function keysTakenUp(
  credentials: Credentials,
  { signature, keySlot }: SignatureShadow,
  by: Replacing & { readonly keys: KeyImport },
): CredentialChanges {
  const kind = signingKind(signature);
  const slots = credentials[kind];
  const taken = keySlot === 'next' ? promoted(slots, by) : keySlot === 'previous' ? takenBack(slots, by) : undefined;
  const ahead = preparedPlatformKey(signature, credentials, by);
  const own = Object.keys(ahead).length > 0 ? ahead : platformKeyBefore(signature, credentials, by);
  return { ...(taken && { [kind]: taken }), ...own };
}

/** The value before is current again, and the one that is current now the one before. */
function takenBack(
  slots: { readonly current?: CredentialValue; readonly previous?: CredentialValue } | undefined,
  by: Replacing,
): SlotChanges | undefined {
  if (!slots?.previous) return undefined;
  const { validUntil: _until, ...value } = slots.previous;
  return rotated(slots, value, by);
}

/** On the way back the platform signs with the key that it had. */
function platformKeyBefore(
  { algorithm }: SignatureSettings,
  { platform_key: slots }: Credentials,
  by: Replacing & { readonly keys: KeyImport },
): CredentialChanges {
  const fits = (value: CredentialValue | undefined): boolean =>
    value?.publicKey !== undefined && keyProblem(by.keys.read(value.publicKey), { algorithm }) === undefined;
  if ((algorithm !== 'RSA2' && algorithm !== 'ECDSA') || fits(slots?.current) || !fits(slots?.previous)) return {};
  const changes = takenBack(slots, by);
  return changes ? { platform_key: changes } : {};
}
