import type { HostApp } from '../partners/host-app';
import type { Miniapp } from '../partners/miniapp';
import { DomainError } from '../shared/errors';
import type { InboundRequest } from './check';
import type { CheckTools } from './credential-policy';
import type { Credentials } from './credential';
import { checkSignature, type SignatureRule } from './signature-check';
import type { FailureBudget } from './signature-failures';
import type { SignatureSettings } from './signature-settings';
import type { ShadowReason, SignatureShadow } from './signature-shadow';

type Signer = HostApp | Miniapp;

/** The shadow that calls are tried with at `now`; `undefined`: there is none, or its time is over. */
export function shadowAt({ settings: { signatureShadow: shadow } }: Signer, now: number): SignatureShadow | undefined {
  return shadow !== undefined && now < shadow.until ? shadow : undefined;
}

/** By the frozen record, so that its compiled form is found again. */
const shadowed = new WeakMap<Signer, Signer>();

/** The partner as it would be if its shadow were its settings. */
export function underShadow<Partner extends Signer>(partner: Partner, shadow: SignatureShadow): Partner {
  const known = shadowed.get(partner) as Partner | undefined;
  if (known?.settings.signature === shadow.signature) return known;
  const settings = { ...partner.settings, signature: shadow.signature };
  const own = { ...partner, settings, credentials: signingWith(shadow, partner.credentials) };
  shadowed.set(partner, own);
  return own;
}

/** The credential that a partner signs with under settings. */
export const signingKind = ({ algorithm }: Pick<SignatureSettings, 'algorithm'>): 'hmac_secret' | 'partner_public_key' =>
  algorithm === 'HMAC' ? 'hmac_secret' : 'partner_public_key';

/** Where two values of a kind are for different settings, the shadow's. */
function signingWith({ signature, keySlot }: SignatureShadow, credentials: Credentials): Credentials {
  if (keySlot === 'current') return credentials;
  const kind = signingKind(signature);
  const { [kind]: slots, ...others } = credentials;
  return slots?.[keySlot] ? { ...others, [kind]: { current: slots[keySlot] } } : others;
}

/** A trial of one request. */
export interface ShadowTry {
  readonly shadow: SignatureShadow;
  /** Of the partner under its shadow. */
  readonly rule: SignatureRule;
  readonly request: InboundRequest;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Why the shadow does not let a request pass; `undefined`: it does. Only where that lets the request in, its nonce is noted and
 * its key is in use. Throws where nobody can say, as the ledger of nonces is away.
 */
export async function triedByShadow({ shadow, rule, request, now }: ShadowTry, tools: CheckTools): Promise<ShadowReason | undefined> {
  const isForReal = shadow.mode === 'accept';
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

/** A trial is no failure of the caller: its settings in use may let the request pass. */
const withoutCounts = (failures: FailureBudget): FailureBudget => ({
  isSpent: (...asked) => failures.isSpent(...asked),
  failed: () => Promise.resolve(),
});

const withoutTraces = (tools: CheckTools): CheckTools => ({
  ...tools,
  nonces: { use: () => Promise.resolve(true) },
  uses: { used: () => undefined },
});
