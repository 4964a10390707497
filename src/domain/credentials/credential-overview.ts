import type { Partner } from '../partners/partner-draft';
import type { CredentialCaller } from './caller-tally';
import { acceptedValues, type CredentialKind, type CredentialSlot, type CredentialValue } from './credential';
import { secretKeyProblem } from './given-credentials';
import type { PublicKeyReader } from './ports';
import type { SignatureAlgorithm } from './signing/signature-settings';
import { hmacKeyBytes } from './signing/signature-secret';

/** The use of a credential. `in`: the partner proves itself to us; `out`: we prove ourselves to the partner. */
export interface CredentialUse {
  readonly direction: 'in' | 'out' | 'both';
  readonly method: 'Basic' | SignatureAlgorithm;
  /** Whether the current settings use it to prove calls. */
  readonly isActive: boolean;
}

/** Type of a value; the size in bits, 0 when it cannot be decrypted. */
export interface ValueDetails {
  readonly type: 'secret' | 'RSA' | 'EC';
  readonly bits: number;
  /** The curve's OpenSSL name. */
  readonly curve?: string;
}

/**
 * Whether a value can be removed. `safe`: unused for a day, and not the value that calls need; `in-use`: used within a day; `needed`:
 * calls are proved with it.
 */
export type Removal = 'safe' | 'in-use' | 'needed';

export interface ValueOverview {
  readonly slot: CredentialSlot;
  readonly value: CredentialValue;
  readonly details: ValueDetails;
  readonly removal: Removal;
  readonly callers: readonly CredentialCaller[];
}

export interface CredentialOverview extends CredentialUse {
  readonly kind: CredentialKind;
  readonly values: readonly ValueOverview[];
}

/** Milliseconds without a use after which a value counts as unused. */
export const unusedForMs = 86_400_000;

const order: readonly CredentialKind[] = ['secret_key', 'host_app_secret_key', 'hmac_secret', 'partner_public_key', 'platform_key'];
const slotOrder: readonly CredentialSlot[] = ['current', 'next', 'previous'];

/** All credentials of a partner with their use. `now` in milliseconds since the epoch. */
export function credentialOverview(
  partner: Partner,
  { callers, keys, now }: { readonly callers: readonly CredentialCaller[]; readonly keys: PublicKeyReader; readonly now: number },
): readonly CredentialOverview[] {
  return order.flatMap((kind) => {
    const slots = partner.credentials[kind];
    if (!slots) return [];
    const use = useOf(partner, kind);
    const accepted = acceptedValues(slots, now);
    const values = slotOrder.flatMap((slot) => {
      const stored = slots[slot];
      if (!stored) return [];
      const ofValue = callers.filter((one) => one.kind === kind && one.fingerprint === stored.fingerprint);
      const value = usedLast(stored, ofValue);
      const removal = removalOf({ slot, value, isAccepted: accepted.includes(stored), isActive: use.isActive, now });
      return [{ slot, value, details: detailsOf(value, keys), removal, callers: ofValue }];
    });
    return [{ kind, ...use, values }];
  });
}

/** Takes the later of two times: the stored time of the last use may be a minute older than the caller counts. */
function usedLast(value: CredentialValue, callers: readonly CredentialCaller[]): CredentialValue {
  const lastUsedAt = Math.max(value.lastUsedAt ?? 0, ...callers.map(({ lastAt }) => lastAt));
  return lastUsedAt === 0 ? value : { ...value, lastUsedAt };
}

interface Standing {
  readonly slot: CredentialSlot;
  readonly value: CredentialValue;
  readonly isAccepted: boolean;
  readonly isActive: boolean;
  readonly now: number;
}

function removalOf({ slot, value, isAccepted, isActive, now }: Standing): Removal {
  const wasUsed = value.lastUsedAt !== undefined && now - value.lastUsedAt < unusedForMs;
  if (!isAccepted) return 'safe';
  if (slot === 'current' && isActive) return 'needed';
  return wasUsed ? 'in-use' : 'safe';
}

function useOf(partner: Partner, kind: CredentialKind): CredentialUse {
  const { signature } = partner.settings;
  const signs = (algorithm: SignatureAlgorithm): boolean => signature.enabled && signature.algorithm === algorithm;
  const asymmetric: SignatureAlgorithm = signature.algorithm === 'ECDSA' ? 'ECDSA' : 'RSA2';
  if (kind === 'hmac_secret') return { direction: 'both', method: 'HMAC', isActive: signs('HMAC') || signature.webhookSignature };
  if (kind === 'partner_public_key') return { direction: 'in', method: asymmetric, isActive: signs(asymmetric) };
  if (kind === 'platform_key') return { direction: 'out', method: asymmetric, isActive: signs(asymmetric) };
  if (kind === 'host_app_secret_key') return { direction: 'out', method: 'Basic', isActive: !signature.enabled };
  return { direction: partner.kind === 'host-app' ? 'in' : 'out', method: 'Basic', isActive: usesBasic(partner) };
}

function usesBasic(partner: Partner): boolean {
  if (partner.kind === 'miniapp') return !partner.settings.signature.enabled;
  const { basicAuthValidation, basicWithSignature, signature } = partner.settings;
  return basicAuthValidation && (!signature.enabled || basicWithSignature);
}

const curveBits: Readonly<Record<string, number>> = { prime256v1: 256, secp384r1: 384, secp521r1: 521, secp256k1: 256 };

/** Type and size of a value. */
export function detailsOf({ publicKey, secret, isUnreadable }: CredentialValue, keys: PublicKeyReader): ValueDetails {
  const reading = publicKey === undefined ? undefined : keys.read(publicKey);
  if (reading?.found === 'rsa') return { type: 'RSA', bits: reading.bits };
  if (reading?.found === 'ec') return { type: 'EC', bits: curveBits[reading.curve] ?? 0, curve: reading.curve };
  if (isUnreadable) return { type: 'secret', bits: 0 };
  const text = secret.reveal();
  // A secret key is 32 bytes, written in 44 characters.
  const bytes = secretKeyProblem(text) === undefined ? 32 : (hmacKeyBytes(text)?.length ?? 0);
  return { type: 'secret', bits: bytes * 8 };
}
