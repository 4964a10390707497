import type { HostApp } from '../../partners/host-app';
import type { Miniapp } from '../../partners/miniapp';
import { DomainError } from '../../shared/errors';
import type { InboundRequest } from '../check';
import type { CheckTools } from '../credential-policy';
import type { Credentials } from '../credential';
import { checkSignature, type SignatureRule } from '../signing/signature-check';
import type { FailureBudget } from '../signing/signature-failures';
import type { SignatureSettings } from '../signing/signature-settings';
import type { DryRunReason, SignatureDryRun } from './signature-dry-run';

type Signer = HostApp | Miniapp;

/** The active dry run at `now`; `undefined` when there is none, or it has expired. */
export function dryRunAt({ settings: { signatureDryRun: dryRun } }: Signer, now: number): SignatureDryRun | undefined {
  return dryRun !== undefined && now < dryRun.until ? dryRun : undefined;
}

/** Cached by the frozen record, so that the checks compiled for the copy are found again. */
const tried = new WeakMap<Signer, Signer>();

/** The partner with its dry run as its signature settings. */
export function underDryRun<Partner extends Signer>(partner: Partner, dryRun: SignatureDryRun): Partner {
  const known = tried.get(partner) as Partner | undefined;
  if (known?.settings.signature === dryRun.signature) return known;
  const settings = { ...partner.settings, signature: dryRun.signature };
  const own = { ...partner, settings, credentials: signingWith(dryRun, partner.credentials) };
  tried.set(partner, own);
  return own;
}

/** The credential that a partner signs with under the settings. */
export const signingKind = ({ algorithm }: Pick<SignatureSettings, 'algorithm'>): 'hmac_secret' | 'partner_public_key' =>
  algorithm === 'HMAC' ? 'hmac_secret' : 'partner_public_key';

/** Makes the dry run's key the current one, where it is in another slot. */
function signingWith({ signature, keySlot }: SignatureDryRun, credentials: Credentials): Credentials {
  if (keySlot === 'current') return credentials;
  const kind = signingKind(signature);
  const { [kind]: slots, ...others } = credentials;
  return slots?.[keySlot] ? { ...others, [kind]: { current: slots[keySlot] } } : others;
}

/** One request to check with the dry run. */
export interface DryRunTry {
  readonly dryRun: SignatureDryRun;
  /** The rule for the partner under its dry run. */
  readonly rule: SignatureRule;
  readonly request: InboundRequest;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Why the dry run refuses a request; `undefined` when it accepts it. The nonce and the use of the key are recorded only in the mode
 * `accept`. In that mode it throws where the result is unknown, for example while the nonce repository is unavailable.
 */
export async function triedInDryRun({ dryRun, rule, request, now }: DryRunTry, tools: CheckTools): Promise<DryRunReason | undefined> {
  const isForReal = dryRun.mode === 'accept';
  try {
    const uncounted = { ...tools, ...(tools.failures && { failures: withoutCounts(tools.failures) }) };
    await checkSignature(rule, isForReal ? uncounted : withoutTraces(uncounted))(request, now);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError && isOfTheRequest(error)) return { errorCode: error.code, cause: causeIn(error) };
    if (isForReal) throw error;
    return { errorCode: 'UNKNOWN_ERROR' };
  }
}

const isOfTheRequest = ({ kind }: DomainError): boolean => kind === 'unauthenticated' || kind === 'invalid';

const causeIn = ({ details: { cause, setting } }: DomainError): string | undefined => cause ?? setting;

/** A failed trial does not count as the caller's failure, because the stored settings may accept the request. */
const withoutCounts = (failures: FailureBudget): FailureBudget => ({
  isSpent: (...args) => failures.isSpent(...args),
  failed: () => Promise.resolve(),
});

const withoutTraces = (tools: CheckTools): CheckTools => ({
  ...tools,
  nonces: { use: () => Promise.resolve(true) },
  uses: { used: () => undefined },
});
