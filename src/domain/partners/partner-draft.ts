import type { CredentialIntake, GivenCredentials } from '../credentials/given-credentials';
import type { PublicKeyReader, SecretGenerator } from '../credentials/ports';
import { signatureProblems } from '../credentials/signing/signature-rules';
import { withChanges } from '../credentials/rotation';
import type { Credentials } from '../credentials/credential';
import { type FieldProblem, InvalidInput } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { HostApp } from './host-app';
import type { Miniapp } from './miniapp';
import type { AuditEntry, CredentialChanges, PartnerRepository } from './ports';
import type { PartnerKind } from './registry-errors';

export type Partner = HostApp | Miniapp;

/** The wanted state of a partner: its complete settings, and the credentials sent with them. */
export interface PartnerDraft<Settings> {
  readonly settings: Settings;
  readonly credentials: GivenCredentials;
  /** Problems found when the draft was read; reported together with those that the rules find. */
  readonly problems: readonly FieldProblem[];
  /** Whether a public key among the credentials may be one that another app has (contract/signatures#shared-keys). Absent: it may not. */
  readonly acknowledgesSharedKey?: boolean;
}

/** The person who makes a change, and the request. */
export interface ChangeOrigin {
  readonly actor: string;
  readonly requestId: string;
  /** True for the operator; absent for a partner. */
  readonly byOperator?: boolean;
}

/** The dependencies of the use cases for one kind of partner. */
export interface RegistryDeps<P extends Partner> {
  readonly kind: PartnerKind;
  readonly partners: PartnerRepository<P, P['settings']>;
  readonly intake: CredentialIntake;
  readonly keys: PublicKeyReader;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
  /** Formats a partner for the audit trail: settings and fingerprints, never secrets. */
  readonly describe: (partner: P) => unknown;
}

/** Makes an audit row. `what` completes the action: `created`, `changed`, `credential-rotated`, … */
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

/** Returns the credential changes of a draft. Throws InvalidInput with every problem of the draft. */
export function acceptDraft<P extends Partner>(
  { intake, keys }: Pick<RegistryDeps<P>, 'intake' | 'keys'>,
  draft: PartnerDraft<P['settings']>,
  present: Credentials,
  otherProblems: readonly FieldProblem[] = [],
): CredentialChanges {
  const { changes, problems } = intake.changes(draft.credentials, present);
  const wrong = [...otherProblems, ...draft.problems, ...problems];
  const reportedPaths = new Set(wrong.map(({ path }) => path));
  const broken = signatureProblems(draft.settings.signature, withChanges(present, changes), keys);
  wrong.push(...broken.filter(({ path }) => !reportedPaths.has(path)));
  if (wrong.length > 0) throw new InvalidInput(wrong);
  return changes;
}
