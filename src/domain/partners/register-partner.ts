import { secretKeyProblem } from '../credentials/given-credentials';
import { withChanges } from '../credentials/rotation';
import type { FieldProblem } from '../shared/errors';
import type { Secret } from '../shared/secret';
import { acceptDraft, auditEntry, type ChangeOrigin, type Partner, type PartnerDraft, type RegistryDeps } from './partner-draft';
import { keySharing } from './key-sharing/key-sharing';
import { idName, PartnerExists } from './registry-errors';

export interface RegisterPartnerCommand<P extends Partner> extends ChangeOrigin {
  readonly draft: PartnerDraft<P['settings']>;
  /** An id and a secret key from another system. Absent: generated here. */
  readonly id?: string | undefined;
  readonly secretKey?: Secret | undefined;
}

/** A new partner, and its secret key, which is shown only this once. */
export interface Registration<P extends Partner> {
  readonly partner: P;
  readonly secretKey: Secret;
}

/** Ids are part of Basic user names, paths, cursors and audit subjects, so they contain none of their separators. */
const idForm = /^[A-Za-z0-9_-]{1,64}$/;
const attempts = 5;

/** Registers a host app or a miniapp. Throws InvalidInput with every problem, PartnerExists where a given id is taken. */
export class RegisterPartner<P extends Partner> {
  constructor(private readonly deps: RegistryDeps<P>) {}

  async execute(command: RegisterPartnerCommand<P>): Promise<Registration<P>> {
    const { draft } = command;
    const changes = acceptDraft<P>(this.deps, draft, {}, this.problems(command));
    const secretKey = command.secretKey ?? this.deps.secrets.secretKey();
    const credentials = withChanges(
      withChanges({ secret_key: { current: this.deps.intake.value(secretKey) } }, changes),
      await this.deps.intake.platformKey(draft.settings.signature, {}),
    );
    const sharing = keySharing({ isAcknowledged: draft.acknowledgesSharedKey === true, byOperator: command.byOperator });
    for (let attempt = 1; ; attempt++) {
      const id = command.id ?? this.newId();
      const record = { kind: this.deps.kind, id, version: 1, settings: draft.settings, credentials } as P;
      try {
        const audit = auditEntry(this.deps, command, { what: 'created', id, after: record });
        const partner = await this.deps.partners.create(record, audit, sharing);
        return { partner, secretKey };
      } catch (error) {
        // App IDs have only six random letters, so a generated one may be taken.
        if (!(error instanceof PartnerExists) || command.id !== undefined || attempt === attempts) throw error;
      }
    }
  }

  private problems({ id, secretKey }: RegisterPartnerCommand<P>): FieldProblem[] {
    const problems: FieldProblem[] = [];
    if (id !== undefined && !idForm.test(id)) {
      problems.push({ path: idName[this.deps.kind], rule: 'must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -' });
    }
    const rule = secretKey && secretKeyProblem(secretKey.reveal());
    if (rule) problems.push({ path: 'secret_key', rule });
    return problems;
  }

  private newId(): string {
    return this.deps.kind === 'host-app' ? `host_${this.deps.secrets.letters(12)}` : `app_${this.deps.secrets.letters(6)}`;
  }
}
