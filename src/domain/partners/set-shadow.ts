import type { CredentialKind, Credentials } from '../credentials/credential';
import { keyProblem } from '../credentials/key-rules';
import { type SlotChanges, withChanges } from '../credentials/rotation';
import { signingKind, underShadow } from '../credentials/shadow-trial';
import { missingSignatureSettings, signatureProblems } from '../credentials/signature-rules';
import type { SignatureAlgorithm, SignatureSettings } from '../credentials/signature-settings';
import { type ShadowMode, shadowRules, type SignatureShadow } from '../credentials/signature-shadow';
import { type FieldProblem, InvalidInput } from '../shared/errors';
import type { IdSource } from '../shared/ports';
import { same } from '../shared/same';
import { type KeySharing, keySharing } from './key-sharing/key-sharing';
import { auditEntry, type ChangeOrigin, type Partner, type PartnerDraft, type RegistryDeps } from './partner-draft';
import type { CredentialChanges } from './ports';
import { StaleVersion, UnknownPartner, UnknownShadow } from './registry-errors';

export interface SetShadowCommand<P extends Partner> extends ChangeOrigin {
  readonly id: string;
  readonly mode: ShadowMode;
  /** Seconds, 60 to `shadowRules.mostS`; absent: `shadowRules.usualS`. */
  readonly validForS?: number | undefined;
  /** The partner as it is wanted; its signature settings, and the keys handed over with them, are tried. Absent: those that are tried already. */
  readonly edit?: ((partner: P) => PartnerDraft<P['settings']>) | undefined;
  /** Whether the change may be made to this version; throws where not. */
  readonly precondition?: (version: number) => void;
}

/** The deps of every use case over shadows. */
export interface ShadowDeps<P extends Partner> extends RegistryDeps<P> {
  readonly ids: IdSource;
}

/** The tried settings, and the keys that come with them. */
interface Staged {
  readonly signature: SignatureSettings;
  readonly keySlot: SignatureShadow['keySlot'];
  readonly credentials: CredentialChanges;
  readonly problems: readonly FieldProblem[];
  readonly sharing: KeySharing;
}

/**
 * Tries other signature settings on a partner's calls, beside those that are stored. Keys that come with them wait beside the
 * present ones; a platform key of another type is made ahead. Throws UnknownPartner, UnknownShadow, StaleVersion, and
 * InvalidInput with everything that would keep the settings from being stored. Source: ADR 036.
 */
export class SetShadow<P extends Partner> {
  constructor(private readonly deps: ShadowDeps<P>) {}

  async execute(command: SetShadowCommand<P>): Promise<P> {
    const present = await this.deps.partners.find(command.id);
    if (!present) throw new UnknownPartner(this.deps.kind);
    command.precondition?.(present.version);
    const staged = await this.staged(present, command);
    const shadow = this.shadowOf(present, staged, command);
    const settings = { ...present.settings, signatureShadow: shadow };
    const after = { ...present, version: present.version + 1, settings, credentials: withChanges(present.credentials, staged.credentials) };
    const problems = [...staged.problems, ...problemsOf({ present, after, shadow, deps: this.deps })];
    if (problems.length > 0) throw new InvalidInput([...new Map(problems.map((problem) => [problem.path, problem])).values()]);

    const changed = await this.deps.partners.update(command.id, (partner) => {
      if (partner.version !== present.version) throw new StaleVersion();
      const audit = auditEntry(this.deps, command, { what: 'shadow-set', id: partner.id, before: partner, after });
      return { settings, credentials: staged.credentials, audit, sharing: staged.sharing };
    });
    if (!changed) throw new UnknownPartner(this.deps.kind);
    return changed;
  }

  private async staged(present: P, { edit, byOperator }: SetShadowCommand<P>): Promise<Staged> {
    const { signatureShadow: standing } = present.settings;
    if (!edit) {
      if (!standing) throw new UnknownShadow();
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

  /** Counts go on where only the mode or the time changes. */
  private shadowOf(
    present: P,
    { signature, keySlot }: Staged,
    { mode, validForS = shadowRules.usualS }: SetShadowCommand<P>,
  ): SignatureShadow {
    const { signatureShadow: standing } = present.settings;
    const now = this.deps.clock.now();
    const goesOn = standing?.keySlot === keySlot && same(standing.signature, signature) ? standing : undefined;
    const { id = this.deps.ids.next(), since = now } = goesOn ?? {};
    return { id, mode, signature, keySlot, since, until: now + validForS * 1000 };
  }

  /** The partner must have our new key before we sign with it. */
  private async platformKeyAhead({ algorithm }: SignatureSettings, { platform_key: slots }: Credentials): Promise<CredentialChanges> {
    if (algorithm !== 'RSA2' && algorithm !== 'ECDSA') return {};
    const known = [slots?.current, slots?.next].some((value) => this.fits(value?.publicKey, algorithm));
    if (known) return {};
    const value = await this.deps.intake.newPlatformKey(algorithm);
    return { platform_key: slots?.current ? { next: value } : { current: value } };
  }

  /** Which value is the shadow's: one that was handed over with it, or the one that fits its algorithm. */
  private keySlotOf(signature: SignatureSettings, credentials: Credentials, given: CredentialChanges): SignatureShadow['keySlot'] {
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

/** A key that is handed over replaces nothing that is in use. */
function besidePresent(changes: CredentialChanges, present: Credentials): CredentialChanges {
  const entries = (Object.entries(changes) as [CredentialKind, SlotChanges][]).flatMap(([kind, { current }]) => {
    if (!current) return [];
    return [[kind, present[kind]?.current ? { next: current } : { current }] as const];
  });
  return Object.fromEntries(entries);
}

interface Judged<P extends Partner> {
  readonly present: P;
  readonly after: P;
  readonly shadow: SignatureShadow;
  readonly deps: Pick<ShadowDeps<P>, 'keys'>;
}

function problemsOf<P extends Partner>({ present, after, shadow, deps: { keys } }: Judged<P>): FieldProblem[] {
  const { credentials } = underShadow(after, shadow);
  const { signature } = shadow;
  const problems = [
    ...signatureProblems(present.settings.signature, after.credentials, keys),
    ...signatureProblems(signature, credentials, keys),
    ...missingSignatureSettings(signature, credentials).map((name) => ({
      path: `signature.${name}`,
      rule: 'is missing: calls could not be checked',
    })),
  ];
  if (!signature.enabled) problems.push({ path: 'signature.enabled', rule: 'must be true: a shadow asks for a signature' });
  if (shadow.keySlot === 'current' && same(signature, present.settings.signature)) {
    problems.push({ path: 'signature', rule: 'must differ from what is stored' });
  }
  return problems;
}
