import { InvalidInput } from '../shared/errors';
import type { CredentialKind, CredentialValue } from './credential';
import type { KeyImport, SecretBox, SignatureText, SigningProviders } from './ports';
import type { SignatureAlgorithm, SignatureEncoding, SignatureSettings } from './signature-settings';
import { UnusableKey } from './ports';

/** The credentials whose possession a partner can prove by a signature. */
export type ProvableKind = Extract<CredentialKind, 'hmac_secret' | 'partner_public_key'>;

/** The value to be proved, and its partner. */
export interface ProvableValue {
  readonly partner: { readonly kind: 'host-app' | 'miniapp'; readonly id: string };
  readonly kind: ProvableKind;
  readonly value: CredentialValue;
}

/** How long a challenge can be answered, in milliseconds. */
export const challengeForMs = 3_600_000;

/** How every text begins that is signed only to prove possession: no request is ever signed over such a text. */
const mark = 'pierhead-possession:v1:';

interface Tools {
  readonly box: SecretBox;
  readonly providers: SigningProviders;
  readonly signatureText: SignatureText;
  readonly keys: KeyImport;
}

/**
 * Texts to be signed with a new key, and the check of the answer. A challenge is sealed for one value of one partner and
 * ends after an hour, so nothing of it has to be kept.
 */
export class Possession {
  constructor(private readonly tools: Tools) {}

  challenge(asked: ProvableValue, now: number): { readonly text: string; readonly until: number } {
    const until = now + challengeForMs;
    const sealed = this.tools.box.seal(new TextEncoder().encode(String(until)), placeOf(asked));
    return { text: mark + this.tools.signatureText.encode(sealed, 'base64url'), until };
  }

  /** Throws InvalidInput, its cause `challenge` or `proof`, where the signature does not prove it. */
  async requireProof(
    asked: ProvableValue,
    { challenge, signature }: { readonly challenge: string; readonly signature: string },
    { settings, now }: { readonly settings: SignatureSettings; readonly now: number },
  ): Promise<void> {
    if (!this.isOpen(asked, challenge, now)) {
      throw invalid('challenge', 'is not a challenge for this key, or more than an hour old: ask for a new one');
    }
    const material = { text: new TextEncoder().encode(challenge), hash: settings.hash, key: asked.value };
    for (const bytes of this.readings(signature.trim(), settings.encoding)) {
      if (await this.tools.providers[this.algorithmOf(asked)].verify(material, bytes).catch(unusable)) return;
    }
    throw invalid('signature', `was not made over the challenge with this key and ${settings.hash}`, 'proof');
  }

  /** The algorithm that goes with a value; a waiting one may be for another than that of the settings. */
  algorithmOf({ kind, value }: Pick<ProvableValue, 'kind' | 'value'>): SignatureAlgorithm {
    if (kind === 'hmac_secret') return 'HMAC';
    return this.tools.keys.read(value.publicKey ?? '').found === 'ec' ? 'ECDSA' : 'RSA2';
  }

  private isOpen(asked: ProvableValue, challenge: string, now: number): boolean {
    const sealed = challenge.startsWith(mark) ? this.tools.signatureText.decode(challenge.slice(mark.length), 'base64url') : undefined;
    if (!sealed) return false;
    try {
      return Number(new TextDecoder().decode(this.tools.box.open(sealed, placeOf(asked)))) > now;
    } catch {
      return false;
    }
  }

  /** People send what their tool prints: the agreed encoding first, then the others. */
  private readings(signature: string, agreed: SignatureEncoding): readonly Uint8Array[] {
    const encodings: readonly SignatureEncoding[] = [agreed, 'base64', 'base64url', 'hex'];
    return encodings.map((encoding) => this.tools.signatureText.decode(signature, encoding)).filter((bytes) => bytes !== undefined);
  }
}

const placeOf = ({ partner, kind, value }: ProvableValue): string =>
  `possession:${partner.kind}/${partner.id}/${kind}/${value.fingerprint}`;

const invalid = (path: string, rule: string, cause = path): InvalidInput => new InvalidInput([{ path, rule, cause }]);

function unusable(error: unknown): false {
  if (error instanceof UnusableKey) return false;
  throw error;
}
