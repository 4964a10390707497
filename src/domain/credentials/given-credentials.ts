import type { CredentialChanges } from '../partners/ports';
import type { FieldProblem } from '../shared/errors';
import type { Clock } from '../shared/ports';
import { Secret } from '../shared/secret';
import type { Credentials, CredentialValue } from './credential';
import { keyProblem, unusable, type KeyRefusal } from './signing/key-rules';
import type { PublicKeyReader, KeyPairGenerator, SecretDigestProvider } from './ports';
import { withdrawn } from './rotation';
import type { SignatureSettings } from './signing/signature-settings';

/** The kinds of credentials that a partner makes itself and sends with its settings. */
export type GivenKind = 'host_app_secret_key' | 'hmac_secret' | 'partner_public_key';

/** A value to store; `null` removes it; absent keeps the stored one. */
export type GivenCredentials = Readonly<Partial<Record<GivenKind, Secret | null>>>;

/** Paths of these credentials in the settings of the manage API. */
export const givenPaths: Readonly<Record<GivenKind, string>> = {
  host_app_secret_key: 'host_app_secret_key',
  hmac_secret: 'signature.hmac_secret',
  partner_public_key: 'signature.partner_public_key',
};

/** 32 bytes in URL-safe base64 with padding; the last letter before it carries four bits. `partner/login` decodes it to the AES key. */
const secretKeyForm = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]=$/;

/** The rule that a secret key breaks; `undefined` when it is valid. */
export const secretKeyProblem = (text: string): string | undefined =>
  secretKeyForm.test(text) ? undefined : 'must be 32 bytes in URL-safe base64 with padding (44 characters)';

/** Makes credential values for storage, from received credentials and from generated ones. */
export class CredentialIntake {
  constructor(
    private readonly deps: { digest: SecretDigestProvider; keys: PublicKeyReader; keyPairGenerator: KeyPairGenerator; clock: Clock },
  ) {}

  /** Wraps a secret for storage. */
  value(secret: Secret, publicKey?: string): CredentialValue {
    const fingerprint = this.deps.digest.fingerprint(publicKey ?? secret.reveal());
    return { secret, fingerprint, createdAt: this.deps.clock.now(), ...(publicKey !== undefined && { publicKey }) };
  }

  /** Returns a received value for storage, or why it cannot be stored. A public key is always stored as SPKI in PEM. */
  given(kind: GivenKind, secret: Secret): CredentialValue | KeyRefusal {
    if (kind !== 'partner_public_key') return this.value(secret);
    const reading = this.deps.keys.read(secret.reveal());
    if ('spki' in reading) return this.value(new Secret(reading.spki), reading.spki);
    return unusable(reading);
  }

  /** The changes for received credentials; values that are already stored cause none. */
  changes(given: GivenCredentials, present: Credentials): { changes: CredentialChanges; problems: readonly FieldProblem[] } {
    const changes: Record<string, CredentialChanges[GivenKind]> = {};
    const problems: FieldProblem[] = [];
    for (const [kind, secret] of Object.entries(given) as [GivenKind, Secret | null][]) {
      if (secret === null) {
        if (present[kind]) changes[kind] = withdrawn;
        continue;
      }
      const value = this.given(kind, secret);
      if ('cause' in value) problems.push({ path: givenPaths[kind], ...value });
      else if (!this.isPresent(value, present[kind]?.current)) changes[kind] = { current: value };
    }
    return { changes, problems };
  }

  /** Generates a platform key where the settings sign with a key pair and the current one is missing or of another type. */
  async platformKey({ algorithm }: SignatureSettings, present: Credentials): Promise<CredentialChanges> {
    if (algorithm !== 'RSA2' && algorithm !== 'ECDSA') return {};
    const publicKey = present.platform_key?.current?.publicKey;
    if (publicKey !== undefined && keyProblem(this.deps.keys.read(publicKey), { algorithm }) === undefined) return {};
    return { platform_key: { current: await this.newPlatformKey(algorithm), previous: undefined } };
  }

  async newPlatformKey(algorithm: 'RSA2' | 'ECDSA'): Promise<CredentialValue> {
    const pair = await this.deps.keyPairGenerator.make(algorithm);
    return this.value(pair.privateKey, pair.publicKey);
  }

  private isPresent(value: CredentialValue, present: CredentialValue | undefined): boolean {
    return present !== undefined && !present.isUnreadable && this.deps.digest.equals(value.secret.reveal(), present.secret.reveal());
  }
}
