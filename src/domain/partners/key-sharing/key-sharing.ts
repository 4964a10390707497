import type { Credentials } from '../../credentials/credential';
import { KeyTaken } from '../../credentials/key-rules';
import type { SignatureSettings } from '../../credentials/signature-settings';
import type { SignatureShadow } from '../../credentials/signature-shadow';
import { prepareSigning } from '../../credentials/signing-string';
import { type FieldProblem, InvalidInput } from '../../shared/errors';
import { same } from '../../shared/same';

/**
 * Whether a change may store a public key that another app has (contract/signatures#shared-keys). `none`: it may not. `acknowledged`: its sender knows that the
 * key is shared, which is not enough for an app of another owner. `granted`: the operator asks for it, or the key was proved.
 */
export type KeySharing = 'none' | 'acknowledged' | 'granted';

/** What a sender says of a key that another app may have. */
export interface SharingRequest {
  /** `acknowledge_shared_key`. */
  readonly isAcknowledged: boolean;
  /** The operator asks, who answers for all apps. */
  readonly byOperator?: boolean | undefined;
  /** The sender signed a challenge with the private key. */
  readonly isProven?: boolean;
}

/** An account works for one partner, so two apps have one owner only where the operator says so. */
export function keySharing({ isAcknowledged, byOperator = false, isProven = false }: SharingRequest): KeySharing {
  if (!isAcknowledged) return 'none';
  return byOperator || isProven ? 'granted' : 'acknowledged';
}

/** What of a partner decides whether it may share a key. */
export interface KeyHolder {
  readonly settings: { readonly signature: SignatureSettings; readonly signatureShadow?: SignatureShadow };
  readonly credentials: Credentials;
}

/** The public keys in all slots of a partner, by key, with their fingerprints. */
export const publicKeysOf = ({ partner_public_key: slots = {} }: Credentials): ReadonlyMap<string, string> =>
  new Map(
    Object.values(slots).flatMap(({ publicKey, fingerprint }) => (publicKey === undefined ? [] : [[publicKey, fingerprint] as const])),
  );

/** A key whose other holders a change has to be compared with. */
export interface KeyToCompare {
  readonly publicKey: string;
  readonly fingerprint: string;
  /** The partner did not have it before the change. */
  readonly isNew: boolean;
}

/** The keys that a change stores, and where it changes how the partner signs, those that it has. In one order for all callers. */
export function keysToCompare(before: KeyHolder | undefined, after: KeyHolder): readonly KeyToCompare[] {
  const known = publicKeysOf(before?.credentials ?? {});
  const isResigned = before !== undefined && !same(schemesOf(before.settings), schemesOf(after.settings));
  return [...publicKeysOf(after.credentials)]
    .map(([publicKey, fingerprint]) => ({ publicKey, fingerprint, isNew: !known.has(publicKey) }))
    .filter(({ isNew }) => isNew || isResigned)
    .sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1));
}

/** The signature settings by which the partner's key pair may be used: the stored ones, and the tried ones. */
export function schemesOf({ signature, signatureShadow: shadow }: KeyHolder['settings']): readonly SignatureSettings[] {
  return [signature, ...(shadow ? [shadow.signature] : [])].filter(({ algorithm }) => algorithm !== 'HMAC');
}

interface Comparison {
  readonly key: KeyToCompare;
  readonly own: readonly SignatureSettings[];
  /** Of each other app that has the key. */
  readonly others: readonly (readonly SignatureSettings[])[];
  readonly sharing: KeySharing;
}

/**
 * Whether the key becomes shared by the change. The signed text shows whose signature it is: each app has an api_client_id of its
 * own, and signs it together with the body. Throws KeyTaken, and InvalidInput where the partner's own settings keep it from sharing.
 */
export function requireShareable({ key, own, others, sharing }: Comparison): boolean {
  if (others.length === 0) return false;
  if (key.isNew && sharing !== 'granted') throw new KeyTaken(sharing === 'none' ? 'other-app' : 'unproven');
  const taken = others.flat();
  const problems = own.flatMap((scheme) => schemeProblems(scheme, taken));
  if (problems.length > 0) throw new InvalidInput([...new Map(problems.map((problem) => [problem.path, problem])).values()]);
  if (taken.some((scheme) => !isTellingApart(scheme))) throw new KeyTaken('unsafe');
  return key.isNew;
}

const cause = 'shared-key';

function schemeProblems(scheme: SignatureSettings, others: readonly SignatureSettings[]): FieldProblem[] {
  const { apiClientId } = scheme;
  const problems: FieldProblem[] = [];
  if (!signsBoth(scheme)) {
    problems.push({
      path: 'signature.payload_template',
      rule: 'must hold {client_id} and {payload}: the key is shared with another app',
      cause,
    });
  }
  if (apiClientId === undefined) {
    problems.push({ path: 'signature.api_client_id', rule: 'is required: the key is shared with another app', cause });
  } else if (others.some((other) => other.apiClientId === apiClientId)) {
    problems.push({ path: 'signature.api_client_id', rule: 'must differ from that of the other app that has the key', cause });
  }
  return problems;
}

const isTellingApart = (scheme: SignatureSettings): boolean => signsBoth(scheme) && scheme.apiClientId !== undefined;

function signsBoth(scheme: SignatureSettings): boolean {
  const { uses } = prepareSigning(scheme);
  return uses.has('client_id') && uses.has('payload');
}
