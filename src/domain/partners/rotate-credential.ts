import type { CredentialKind, CredentialValue } from '../credentials/credential';
import { secretKeyProblem } from '../credentials/given-credentials';
import { rotated, withChanges } from '../credentials/rotation';
import { signatureProblems } from '../credentials/signature-rules';
import { InvalidInput } from '../shared/errors';
import type { Secret } from '../shared/secret';
import { auditEntry, type ChangeOrigin, type Partner, type RegistryDeps } from './partner-draft';
import { StaleVersion, UnknownPartner } from './registry-errors';

export interface RotateCredentialCommand extends ChangeOrigin {
  readonly id: string;
  readonly credential: CredentialKind;
  /** Where the partner makes it; a secret key may be given, or is made here. */
  readonly value?: Secret | undefined;
  /** Seconds for which the present value stays accepted, 0 to 30 days. */
  readonly previousValidForS: number;
}

/** The partner with its new credential; `made` is a new secret key, told this once. */
export interface Rotation<P extends Partner> {
  readonly partner: P;
  readonly made?: Secret;
}

const invalid = (path: string, rule: string): InvalidInput => new InvalidInput([{ path, rule }]);

const algorithmOf = ({ settings }: Partner) => settings.signature.algorithm;

/** Puts a new value in the place of a credential. Throws UnknownPartner, and InvalidInput where the value cannot be stored. */
export class RotateCredential<P extends Partner> {
  constructor(private readonly deps: RegistryDeps<P>) {}

  async execute(command: RotateCredentialCommand): Promise<Rotation<P>> {
    const present = await this.deps.partners.find(command.id);
    if (!present) throw new UnknownPartner(this.deps.kind);
    const { value, made } = await this.newValue(command, present);
    const { credential, previousValidForS } = command;

    const partner = await this.deps.partners.update(command.id, (before) => {
      // A key pair is made for an algorithm, before the record is held.
      if (credential === 'platform_key' && algorithmOf(before) !== algorithmOf(present)) throw new StaleVersion();
      const credentials = { [credential]: rotated(before.credentials[credential], value, previousValidForS) };
      const after = { ...before, version: before.version + 1, credentials: withChanges(before.credentials, credentials) };
      this.requireSound(after, credential);
      return {
        settings: before.settings,
        credentials,
        audit: auditEntry(this.deps, command, { what: 'credential-rotated', id: before.id, before, after }),
      };
    });
    if (!partner) throw new UnknownPartner(this.deps.kind);
    return { partner, ...(made && { made }) };
  }

  private async newValue({ credential, value }: RotateCredentialCommand, present: P): Promise<{ value: CredentialValue; made?: Secret }> {
    const { intake, secrets, kind } = this.deps;
    if (credential === 'host_app_secret_key' && kind !== 'host-app') throw invalid('credential', 'is a credential of host apps');
    if (credential === 'platform_key') {
      if (value) throw invalid('value', 'must be absent: the service makes this key pair');
      const { algorithm } = present.settings.signature;
      if (algorithm !== 'RSA2' && algorithm !== 'ECDSA') throw invalid('credential', 'needs signature.algorithm RSA2 or ECDSA');
      return { value: await intake.newPlatformKey(algorithm) };
    }
    if (credential === 'secret_key') {
      if (!value) {
        const made = secrets.secretKey();
        return { value: intake.value(made), made };
      }
      const rule = secretKeyProblem(value.reveal());
      if (rule) throw invalid('value', rule);
      return { value: intake.value(value) };
    }
    if (!value) throw invalid('value', 'is required: the partner makes this credential');
    const kept = intake.given(credential, value);
    if (typeof kept === 'string') throw invalid('value', kept);
    return { value: kept };
  }

  private requireSound({ settings, credentials }: P, credential: CredentialKind): void {
    const problem = signatureProblems(settings.signature, credentials, this.deps.keys).find(
      ({ path }) => path === `signature.${credential}`,
    );
    if (problem) throw invalid('value', problem.rule);
  }
}
