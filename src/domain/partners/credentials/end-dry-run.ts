import type { Credentials, CredentialValue } from '../../credentials/credential';
import { keyProblem } from '../../credentials/signing/key-rules';
import type { PublicKeyReader } from '../../credentials/ports';
import { preparedPlatformKey } from '../../credentials/signing/prepared-key';
import { promoted, rotated, type SlotChanges, withChanges } from '../../credentials/rotation';
import { signingKind } from '../../credentials/dry-run/dry-run-trial';
import { missingSignatureSettings, signatureProblems } from '../../credentials/signing/signature-rules';
import type { SignatureSettings } from '../../credentials/signing/signature-settings';
import type { SignatureDryRun } from '../../credentials/dry-run/signature-dry-run';
import { InvalidInput } from '../../shared/errors';
import { auditEntry, type ChangeOrigin, type Partner } from '../partner-draft';
import type { CredentialChanges } from '../ports';
import { UnknownPartner, UnknownDryRun } from '../registry-errors';
import type { DryRunDeps } from './set-dry-run';

export interface EndDryRunCommand extends ChangeOrigin {
  readonly id: string;
  /** Checks the stored version; throws to refuse the change. */
  readonly precondition?: (version: number) => void;
}

/** Ends a dry run of signature settings; the keys that came with them stay in their slots. Throws UnknownPartner, UnknownDryRun. */
export class EndDryRun<P extends Partner> {
  constructor(private readonly deps: DryRunDeps<P>) {}

  async execute(command: EndDryRunCommand): Promise<P> {
    const partner = await this.deps.partners.update(command.id, (before) => {
      command.precondition?.(before.version);
      const { signatureDryRun: dryRun, ...settings } = before.settings;
      if (!dryRun) throw new UnknownDryRun();
      const after = { ...before, version: before.version + 1, settings };
      return { settings, audit: auditEntry(this.deps, command, { what: 'dry-run-ended', id: before.id, before, after }) };
    });
    if (!partner) throw new UnknownPartner(this.deps.kind);
    return partner;
  }
}

export interface PromoteDryRunCommand extends EndDryRunCommand {
  /** Seconds for which the replaced settings and their keys stay accepted; 0: not at all. */
  readonly previousValidForS: number;
}

/**
 * Stores the settings of the dry run; from now on, our own calls are signed with them, too. The replaced settings become a dry run that is
 * accepted for a time, so that calls signed with them pass, and a second promotion is the way back. Throws UnknownPartner, UnknownDryRun,
 * InvalidInput. Source: ADR 036.
 */
export class PromoteDryRun<P extends Partner> {
  constructor(private readonly deps: DryRunDeps<P>) {}

  async execute(command: PromoteDryRunCommand): Promise<P> {
    const { previousValidForS } = command;
    const replacement = { now: this.deps.clock.now(), previousValidForS };
    const partner = await this.deps.partners.update(command.id, (before) => {
      command.precondition?.(before.version);
      const { signatureDryRun: dryRun, ...rest } = before.settings;
      if (!dryRun) throw new UnknownDryRun();
      const credentials = keysTakenUp(before.credentials, dryRun, { ...replacement, keys: this.deps.keys });
      const fallback = previousValidForS > 0 && rest.signature.enabled ? this.fallbackOf(rest.signature, dryRun, replacement) : undefined;
      const settings = { ...rest, signature: dryRun.signature, ...(fallback && { signatureDryRun: fallback }) };
      const after = { ...before, version: before.version + 1, settings, credentials: withChanges(before.credentials, credentials) };
      this.requireValid(after);
      return { settings, credentials, audit: auditEntry(this.deps, command, { what: 'dry-run-promoted', id: before.id, before, after }) };
    });
    if (!partner) throw new UnknownPartner(this.deps.kind);
    return partner;
  }

  private fallbackOf(signature: SignatureSettings, dryRun: SignatureDryRun, { now, previousValidForS }: Replacing): SignatureDryRun {
    const isReplaced = dryRun.keySlot !== 'current' && signingKind(signature) === signingKind(dryRun.signature);
    const until = now + previousValidForS * 1000;
    return { id: this.deps.ids.next(), mode: 'accept', signature, keySlot: isReplaced ? 'previous' : 'current', since: now, until };
  }

  /** Checks again, because settings and keys may have changed since the dry run began. */
  private requireValid({ settings: { signature }, credentials }: P): void {
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
  { signature, keySlot }: SignatureDryRun,
  by: Replacing & { readonly keys: PublicKeyReader },
): CredentialChanges {
  const kind = signingKind(signature);
  const slots = credentials[kind];
  const taken = keySlot === 'next' ? promoted(slots, by) : keySlot === 'previous' ? takenBack(slots, by) : undefined;
  const ahead = preparedPlatformKey(signature, credentials, by);
  const own = Object.keys(ahead).length > 0 ? ahead : platformKeyBefore(signature, credentials, by);
  return { ...(taken && { [kind]: taken }), ...own };
}

/** Swaps the previous and the current value of a credential. */
function takenBack(
  slots: { readonly current?: CredentialValue; readonly previous?: CredentialValue } | undefined,
  by: Replacing,
): SlotChanges | undefined {
  if (!slots?.previous || slots.previous.isUnreadable) return undefined;
  const { validUntil: _until, ...value } = slots.previous;
  return rotated(slots, value, by);
}

/** Makes the previous platform key current again, if the promoted settings need it. */
function platformKeyBefore(
  { algorithm }: SignatureSettings,
  { platform_key: slots }: Credentials,
  by: Replacing & { readonly keys: PublicKeyReader },
): CredentialChanges {
  const fits = (value: CredentialValue | undefined): boolean =>
    value?.publicKey !== undefined && keyProblem(by.keys.read(value.publicKey), { algorithm }) === undefined;
  if ((algorithm !== 'RSA2' && algorithm !== 'ECDSA') || fits(slots?.current) || !fits(slots?.previous)) return {};
  const changes = takenBack(slots, by);
  return changes ? { platform_key: changes } : {};
}
