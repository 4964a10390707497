import { InvalidInput } from '../shared/errors';
import type { CredentialKind, CredentialValue } from './credential';
import type { PublicKeyReader, SecretCipher, SignatureText, SigningProviders } from './ports';
import type { SignatureAlgorithm, SignatureEncoding, SignatureSettings } from './signing/signature-settings';
import { UnusableKey } from './ports';

/** Credentials that a partner can prove to hold by a signature. */
export type ProvableKind = Extract<CredentialKind, 'hmac_secret' | 'partner_public_key'>;

/** The value to prove, and its partner. */
export interface ProvableValue {
  readonly partner: { readonly kind: 'host-app' | 'miniapp'; readonly id: string };
  readonly kind: ProvableKind;
  readonly value: CredentialValue;
}

/** Time to answer a challenge, in milliseconds. */
export const challengeForMs = 3_600_000;

/** Prefix of every challenge: no signed text of a request begins with it, so a proof cannot be used as a request's signature. */
const mark = 'pierhead-possession:v1:';

interface Tools {
  readonly box: SecretCipher;
  readonly providers: SigningProviders;
  readonly signatureText: SignatureText;
  readonly keys: PublicKeyReader;
}

/**
 * Makes challenges to sign with a key, and checks the answers. A challenge is sealed for one value of one partner and expires after an
 * hour, so nothing has to be stored.
 */
export class Possession {
  constructor(private readonly tools: Tools) {}

  challenge(target: ProvableValue, now: number): { readonly text: string; readonly until: number } {
    const until = now + challengeForMs;
    const sealed = this.tools.box.seal(new TextEncoder().encode(String(until)), sealContextOf(target));
    return { text: mark + this.tools.signatureText.encode(sealed, 'base64url'), until };
  }

  /** Throws InvalidInput, with the cause `challenge` or `proof`, where the signature does not prove possession. */
  async requireProof(
    target: ProvableValue,
    { challenge, signature }: { readonly challenge: string; readonly signature: string },
    { settings, now }: { readonly settings: SignatureSettings; readonly now: number },
  ): Promise<void> {
    if (!this.isOpen(target, challenge, now)) {
      throw invalid('challenge', 'is not a challenge for this key, or more than an hour old: ask for a new one');
    }
    const material = { text: new TextEncoder().encode(challenge), hash: settings.hash, key: target.value };
    for (const bytes of this.readings(signature.trim(), settings.encoding)) {
      if (await this.tools.providers[this.algorithmOf(target)].verify(material, bytes).catch(unusable)) return;
    }
    throw invalid('signature', `was not made over the challenge with this key and ${settings.hash}`, 'proof');
  }

  /** The algorithm of a value; that of a `next` key may differ from the settings. */
  algorithmOf({ kind, value }: Pick<ProvableValue, 'kind' | 'value'>): SignatureAlgorithm {
    if (kind === 'hmac_secret') return 'HMAC';
    return this.tools.keys.read(value.publicKey ?? '').found === 'ec' ? 'ECDSA' : 'RSA2';
  }

  private isOpen(target: ProvableValue, challenge: string, now: number): boolean {
    const sealed = challenge.startsWith(mark) ? this.tools.signatureText.decode(challenge.slice(mark.length), 'base64url') : undefined;
    if (!sealed) return false;
    try {
      return Number(new TextDecoder().decode(this.tools.box.open(sealed, sealContextOf(target)))) > now;
    } catch {
      return false;
    }
  }

  /** Decodes a signature in all encodings, the agreed one first, because people send what their tool prints. */
  private readings(signature: string, agreed: SignatureEncoding): readonly Uint8Array[] {
    const encodings: readonly SignatureEncoding[] = [agreed, 'base64', 'base64url', 'hex'];
    return encodings.map((encoding) => this.tools.signatureText.decode(signature, encoding)).filter((bytes) => bytes !== undefined);
  }
}

const sealContextOf = ({ partner, kind, value }: ProvableValue): string =>
  `possession:${partner.kind}/${partner.id}/${kind}/${value.fingerprint}`;

const invalid = (path: string, rule: string, cause = path): InvalidInput => new InvalidInput([{ path, rule, cause }]);

function unusable(error: unknown): false {
  if (error instanceof UnusableKey) return false;
  throw error;
}
