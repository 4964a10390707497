import type { CredentialIntake, GivenCredentials } from '../credentials/given-credentials';
import type { KeyImport, SecretSource } from '../credentials/ports';
import { signatureProblems } from '../credentials/signature-rules';
import { withChanges } from '../credentials/rotation';
import type { Credentials } from '../credentials/credential';
import { type FieldProblem, InvalidInput } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { HostApp } from './host-app';
import type { Miniapp } from './miniapp';
import type { AuditEntry, CredentialChanges, PartnerRepository } from './ports';
import type { PartnerKind } from './registry-errors';

export type Partner = HostApp | Miniapp;

/** How a partner shall be: its whole settings, and the credentials that are handed over with them. */
export interface PartnerDraft<Settings> {
  readonly settings: Settings;
  readonly credentials: GivenCredentials;
  /** What the one who read the draft found wrong with it already; told together with what the rules find. */
  readonly problems: readonly FieldProblem[];
  /** A public key among the credentials may be one that another app has (contract/signatures#shared-keys); absent: it may not. */
  readonly acknowledgesSharedKey?: boolean;
}

/** Who asks for a change, and in which request. */
export interface ChangeOrigin {
  readonly actor: string;
  readonly requestId: string;
  /** The operator asks; absent: a partner. */
  readonly byOperator?: boolean;
}

/** What the use cases over one kind of partner work with. */
export interface RegistryDeps<P extends Partner> {
  readonly kind: PartnerKind;
  readonly partners: PartnerRepository<P, P['settings']>;
  readonly intake: CredentialIntake;
  readonly keys: KeyImport;
  readonly secrets: SecretSource;
  readonly clock: Clock;
  /** How a partner is shown in the audit trail: settings and fingerprints, no secret. */
  readonly describe: (partner: P) => unknown;
}

/** One row of the audit trail. `what` completes the action: `created`, `changed`, `credential-rotated`, … */
export function auditEntry<P extends Partner>(
  { kind, clock, describe }: Pick<RegistryDeps<P>, 'kind' | 'clock' | 'describe'>,
  { actor, requestId }: ChangeOrigin,
  { what, id, before, after }: { what: string; id: string; before?: P; after?: P },
): AuditEntry {
  return {
    actor,
    action: `${kind}.${what}`,
    subject: `${kind}:${id}`,
    ...(before && { before: describe(before) }),
    ...(after && { after: describe(after) }),
    requestId,
    at: clock.now(),
  };
}

/** The credential changes of a draft. Throws InvalidInput with everything that is wrong with the whole. */
export function acceptDraft<P extends Partner>(
  { intake, keys }: Pick<RegistryDeps<P>, 'intake' | 'keys'>,
  draft: PartnerDraft<P['settings']>,
  present: Credentials,
  otherProblems: readonly FieldProblem[] = [],
): CredentialChanges {
  const { changes, problems } = intake.changes(draft.credentials, present);
  const wrong = [...otherProblems, ...draft.problems, ...problems];
  const told = new Set(wrong.map(({ path }) => path));
  const broken = signatureProblems(draft.settings.signature, withChanges(present, changes), keys);
  wrong.push(...broken.filter(({ path }) => !told.has(path)));
  if (wrong.length > 0) throw new InvalidInput(wrong);
  return changes;
}
