import type { Credentials } from '../../credentials/credential';
import { KeyTaken } from '../../credentials/signing/key-rules';
import type { SignatureSettings } from '../../credentials/signing/signature-settings';
import type { SignatureDryRun } from '../../credentials/dry-run/signature-dry-run';
import { prepareSigning } from '../../credentials/signing/signing-string';
import { type FieldProblem, InvalidInput } from '../../shared/errors';
import { same } from '../../shared/same';

/**
 * Whether a change may store a public key that another app has (contract/signatures#shared-keys). `none`: it may not. `acknowledged`: the
 * sender knows that the key is shared, which is not enough for an app of another owner. `granted`: the operator requests it, or the key
 * was proved.
 */
export type KeySharing = 'none' | 'acknowledged' | 'granted';

/** What a change request says about a key that another app may have. */
export interface SharingRequest {
  /** The request's `acknowledge_shared_key`. */
  readonly isAcknowledged: boolean;
  /** The operator, who is responsible for all apps, makes the request. */
  readonly byOperator?: boolean | undefined;
  /** The sender signed a challenge with the private key. */
  readonly isProven?: boolean;
}

/** Derives the permission. Two apps have the same owner only if the operator says so, because an account works for one partner. */
export function keySharing({ isAcknowledged, byOperator = false, isProven = false }: SharingRequest): KeySharing {
  if (!isAcknowledged) return 'none';
  return byOperator || isProven ? 'granted' : 'acknowledged';
}

/** The parts of a partner that decide whether it may share a key. */
export interface KeyHolder {
  readonly settings: { readonly signature: SignatureSettings; readonly signatureDryRun?: SignatureDryRun };
  readonly credentials: Credentials;
}

/** A partner's public keys in all slots, mapped to their fingerprints. */
export const publicKeysOf = ({ partner_public_key: slots = {} }: Credentials): ReadonlyMap<string, string> =>
  new Map(
    Object.values(slots).flatMap(({ publicKey, fingerprint }) => (publicKey === undefined ? [] : [[publicKey, fingerprint] as const])),
  );

/** A key to compare with its other holders before a change. */
export interface KeyToCompare {
  readonly publicKey: string;
  readonly fingerprint: string;
  /** Whether the partner gets the key by the change. */
  readonly isNew: boolean;
}

/**
 * The keys that a change stores and, if it changes how the partner signs, all its keys. Sorted, so that all callers lock in the same
 * order.
 */
export function keysToCompare(before: KeyHolder | undefined, after: KeyHolder): readonly KeyToCompare[] {
  const known = publicKeysOf(before?.credentials ?? {});
  const isResigned = before !== undefined && !same(schemesOf(before.settings), schemesOf(after.settings));
  return [...publicKeysOf(after.credentials)]
    .map(([publicKey, fingerprint]) => ({ publicKey, fingerprint, isNew: !known.has(publicKey) }))
    .filter(({ isNew }) => isNew || isResigned)
    .sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1));
}

/** The signature settings that may use the partner's key pair: the stored ones, and those of a dry run. */
export function schemesOf({ signature, signatureDryRun: dryRun }: KeyHolder['settings']): readonly SignatureSettings[] {
  return [signature, ...(dryRun ? [dryRun.signature] : [])].filter(({ algorithm }) => algorithm !== 'HMAC');
}

interface Comparison {
  readonly key: KeyToCompare;
  readonly own: readonly SignatureSettings[];
  /** The settings of each other app that has the key. */
  readonly others: readonly (readonly SignatureSettings[])[];
  readonly sharing: KeySharing;
}

/**
 * Returns whether the change makes the key shared. The signed text must identify the app: each app needs its own api_client_id, and signs
 * it together with the body. Throws KeyTaken, and InvalidInput where the partner's own settings keep it from sharing.
 */
export function requireShareable({ key, own, others, sharing }: Comparison): boolean {
  if (others.length === 0) return false;
  if (key.isNew && sharing !== 'granted') throw new KeyTaken(sharing === 'none' ? 'other-app' : 'unproven');
  const taken = others.flat();
  const problems = own.flatMap((scheme) => schemeProblems(scheme, taken));
  if (problems.length > 0) throw new InvalidInput([...new Map(problems.map((problem) => [problem.path, problem])).values()]);
  if (taken.some((scheme) => !isDistinguishable(scheme))) throw new KeyTaken('unsafe');
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

const isDistinguishable = (scheme: SignatureSettings): boolean => signsBoth(scheme) && scheme.apiClientId !== undefined;

function signsBoth(scheme: SignatureSettings): boolean {
  const { uses } = prepareSigning(scheme);
  return uses.has('client_id') && uses.has('payload');
}
