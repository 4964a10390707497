import type { CredentialKind, Credentials } from '../../credentials/credential';
import { keyProblem } from '../../credentials/signing/key-rules';
import { type SlotChanges, withChanges } from '../../credentials/rotation';
import { signingKind, underDryRun } from '../../credentials/dry-run/dry-run-trial';
import { missingSignatureSettings, signatureProblems } from '../../credentials/signing/signature-rules';
import type { SignatureAlgorithm, SignatureSettings } from '../../credentials/signing/signature-settings';
import { type DryRunMode, dryRunRules, type SignatureDryRun } from '../../credentials/dry-run/signature-dry-run';
import { type FieldProblem, InvalidInput } from '../../shared/errors';
import type { IdGenerator } from '../../shared/ports';
import { same } from '../../shared/same';
import { type KeySharing, keySharing } from '../key-sharing/key-sharing';
import { auditEntry, type ChangeOrigin, type Partner, type PartnerDraft, type RegistryDeps } from '../partner-draft';
import type { CredentialChanges } from '../ports';
import { StaleVersion, UnknownPartner, UnknownDryRun } from '../registry-errors';

export interface SetDryRunCommand<P extends Partner> extends ChangeOrigin {
  readonly id: string;
  readonly mode: DryRunMode;
  /** Seconds, 60 to `dryRunRules.maxS`. Absent: `dryRunRules.defaultS`. */
  readonly validForS?: number | undefined;
  /** Makes the wanted partner; its signature settings and keys are tried. Absent: those of the current dry run. */
  readonly edit?: ((partner: P) => PartnerDraft<P['settings']>) | undefined;
  /** Checks the stored version; throws to refuse the change. */
  readonly precondition?: (version: number) => void;
}

/** The dependencies of all use cases for dry runs. */
export interface DryRunDeps<P extends Partner> extends RegistryDeps<P> {
  readonly ids: IdGenerator;
}

/** The settings to try, and the keys sent with them. */
interface Staged {
  readonly signature: SignatureSettings;
  readonly keySlot: SignatureDryRun['keySlot'];
  readonly credentials: CredentialChanges;
  readonly problems: readonly FieldProblem[];
  readonly sharing: KeySharing;
}

/**
 * Tries other signature settings on a partner's calls, beside the stored ones. Keys sent with them are stored beside the current ones; a
 * platform key of another type is generated in advance. Throws UnknownPartner, UnknownDryRun, StaleVersion, and InvalidInput with
 * everything that would keep the settings from being stored. Source: ADR 036.
 */
export class SetDryRun<P extends Partner> {
  constructor(private readonly deps: DryRunDeps<P>) {}

  async execute(command: SetDryRunCommand<P>): Promise<P> {
    const present = await this.deps.partners.find(command.id);
    if (!present) throw new UnknownPartner(this.deps.kind);
    command.precondition?.(present.version);
    const staged = await this.staged(present, command);
    const dryRun = this.dryRunOf(present, staged, command);
    const settings = { ...present.settings, signatureDryRun: dryRun };
    const after = { ...present, version: present.version + 1, settings, credentials: withChanges(present.credentials, staged.credentials) };
    const problems = [...staged.problems, ...problemsOf({ present, after, dryRun, deps: this.deps })];
    if (problems.length > 0) throw new InvalidInput([...new Map(problems.map((problem) => [problem.path, problem])).values()]);

    const changed = await this.deps.partners.update(command.id, (partner) => {
      if (partner.version !== present.version) throw new StaleVersion();
      const audit = auditEntry(this.deps, command, { what: 'dry-run-set', id: partner.id, before: partner, after });
      return { settings, credentials: staged.credentials, audit, sharing: staged.sharing };
    });
    if (!changed) throw new UnknownPartner(this.deps.kind);
    return changed;
  }

  private async staged(present: P, { edit, byOperator }: SetDryRunCommand<P>): Promise<Staged> {
    const { signatureDryRun: standing } = present.settings;
    if (!edit) {
      if (!standing) throw new UnknownDryRun();
      return { signature: standing.signature, keySlot: standing.keySlot, credentials: {}, problems: [], sharing: 'none' };
    }
    const draft = edit(present);
    const { signature } = draft.settings;
    const { changes, problems } = this.deps.intake.changes(draft.credentials, present.credentials);
    const given = besidePresent(changes, present.credentials);
    const credentials = { ...given, ...(await this.platformKeyAhead(signature, present.credentials)) };
    const keySlot = this.keySlotOf(signature, withChanges(present.credentials, credentials), given);
    const sharing = keySharing({ isAcknowledged: draft.acknowledgesSharedKey === true, byOperator });
    return { signature, keySlot, credentials, problems: [...draft.problems, ...problems], sharing };
  }

  /** Keeps the id, and so the counts, when only the mode or the time changes. */
  private dryRunOf(
    present: P,
    { signature, keySlot }: Staged,
    { mode, validForS = dryRunRules.defaultS }: SetDryRunCommand<P>,
  ): SignatureDryRun {
    const { signatureDryRun: standing } = present.settings;
    const now = this.deps.clock.now();
    const goesOn = standing?.keySlot === keySlot && same(standing.signature, signature) ? standing : undefined;
    const { id = this.deps.ids.next(), since = now } = goesOn ?? {};
    return { id, mode, signature, keySlot, since, until: now + validForS * 1000 };
  }

  /** Generates a platform key in advance, because the partner must have it before we sign with it. */
  private async platformKeyAhead({ algorithm }: SignatureSettings, { platform_key: slots }: Credentials): Promise<CredentialChanges> {
    if (algorithm !== 'RSA2' && algorithm !== 'ECDSA') return {};
    const known = [slots?.current, slots?.next].some((value) => this.fits(value?.publicKey, algorithm));
    if (known) return {};
    const value = await this.deps.intake.newPlatformKey(algorithm);
    return { platform_key: slots?.current ? { next: value } : { current: value } };
  }

  /** The slot of the key that the dry run uses: a key sent with it, or the one that fits its algorithm. */
  private keySlotOf(signature: SignatureSettings, credentials: Credentials, given: CredentialChanges): SignatureDryRun['keySlot'] {
    const kind = signingKind(signature);
    if (given[kind]?.next) return 'next';
    const fits = (value: { readonly publicKey?: string } | undefined): boolean => this.fits(value?.publicKey, signature.algorithm);
    const slots = credentials[kind];
    return kind === 'partner_public_key' && !fits(slots?.current) && fits(slots?.next) ? 'next' : 'current';
  }

  private fits(publicKey: string | undefined, algorithm: SignatureAlgorithm | undefined): boolean {
    return publicKey !== undefined && keyProblem(this.deps.keys.read(publicKey), { algorithm }) === undefined;
  }
}

/** Moves new keys to the slot `next`, so that they replace no key in use. */
function besidePresent(changes: CredentialChanges, present: Credentials): CredentialChanges {
  const entries = (Object.entries(changes) as [CredentialKind, SlotChanges][]).flatMap(([kind, { current }]) => {
    if (!current) return [];
    return [[kind, present[kind]?.current ? { next: current } : { current }] as const];
  });
  return Object.fromEntries(entries);
}

interface CheckedDryRun<P extends Partner> {
  readonly present: P;
  readonly after: P;
  readonly dryRun: SignatureDryRun;
  readonly deps: Pick<DryRunDeps<P>, 'keys'>;
}

function problemsOf<P extends Partner>({ present, after, dryRun, deps: { keys } }: CheckedDryRun<P>): FieldProblem[] {
  const { credentials } = underDryRun(after, dryRun);
  const { signature } = dryRun;
  const problems = [
    ...signatureProblems(present.settings.signature, after.credentials, keys),
    ...signatureProblems(signature, credentials, keys),
    ...missingSignatureSettings(signature, credentials).map((name) => ({
      path: `signature.${name}`,
      rule: 'is missing: calls could not be checked',
    })),
  ];
  if (!signature.enabled) problems.push({ path: 'signature.enabled', rule: 'must be true: a dry run asks for a signature' });
  if (dryRun.keySlot === 'current' && same(signature, present.settings.signature)) {
    problems.push({ path: 'signature', rule: 'must differ from what is stored' });
  }
  return problems;
}
