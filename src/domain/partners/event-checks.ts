import { prepareSigning } from '../credentials/signing-string';
import type { SignatureHeaderNames } from '../credentials/signature-settings';
import type { FieldProblem } from '../shared/errors';
import type { HostApp } from './host-app';
import type { EventChecker, IntegrationSettings } from './integration';
import type { Miniapp } from './miniapp';
import type { SettingWarning } from './setting-warnings';

/** The name of the setting in the manage API. */
export const checkedBySetting = 'host_app_events_checked_by';

interface Parties {
  readonly hostApp: HostApp;
  readonly miniapp: Miniapp;
}

/**
 * Why the two apps cannot both be checked on one request: one header cannot carry two signatures, nor `Authorization` a
 * signature beside Basic. Empty: they can, or need not be.
 */
export function eventCheckProblems(checkedBy: EventChecker, { hostApp, miniapp }: Parties): readonly FieldProblem[] {
  if (checkedBy !== 'both') return [];
  const [ofHostApp, ofMiniapp] = [namesInUse(hostApp), namesInUse(miniapp)];
  const path = checkedBySetting;
  const shared = ofHostApp.filter((name) => ofMiniapp.includes(name));
  if (shared.length > 0) {
    const rule = `both needs header names that differ; the host app and the miniapp share ${shared.join(', ')}`;
    return [{ path, rule, cause: 'shared-header-names' }];
  }
  if (!asksForBasic(hostApp) || ![...ofHostApp, ...ofMiniapp].includes('authorization')) return [];
  const rule = 'both needs a signature header other than Authorization, which carries the Basic credentials of the host app';
  return [{ path, rule, cause: 'authorization-taken' }];
}

/** Whether a host app's own calls are asked for Basic; while it signs, only where it wants both. */
export const asksForBasic = ({ settings: { basicAuthValidation, basicWithSignature, signature } }: HostApp): boolean =>
  basicAuthValidation && (!signature.enabled || basicWithSignature);

/** The header names, in lower case, in which a request of the app carries something. Empty: it does not sign. */
function namesInUse({ settings: { signature } }: HostApp | Miniapp): readonly string[] {
  if (!signature.enabled) return [];
  const { uses } = prepareSigning(signature);
  const isUsed: Readonly<Record<keyof SignatureHeaderNames, boolean>> = {
    signature: true,
    timestamp: true,
    clientId: signature.apiClientId !== undefined,
    nonce: signature.nonceLength > 0 || uses.has('nonce'),
    identity: signature.identity !== undefined,
    merchantId: uses.has('merchant_id'),
  };
  const members = Object.keys(isUsed) as (keyof SignatureHeaderNames)[];
  return members.filter((member) => isUsed[member]).map((member) => signature.headerNames[member].toLowerCase());
}

/** Said of a host app's event that the miniapp's checks refuse, and wherever the setting is shown. */
export const checkedByMiniapp =
  "host_app_events_checked_by is miniapp: a host app's event passes only with the miniapp's secret or from an address on " +
  "the miniapp's allowlist, and never where the miniapp signs with a key pair. Set host_app or both to check the host app's own credentials.";

/** A warning where the host app's events are on and the miniapp's checks decide on them. */
export function eventCheckWarning({ features, hostAppEventsCheckedBy }: IntegrationSettings, miniapp: Miniapp): SettingWarning | undefined {
  if (features.events !== true || hostAppEventsCheckedBy !== 'miniapp') return undefined;
  return { path: checkedBySetting, cause: isPassableByHostApp(miniapp) ? 'checked-by-miniapp' : 'never-passes', message: checkedByMiniapp };
}

/** Whether a host app could pass the miniapp's checks: with a shared secret or from an allowed address, not with a key pair. */
export function isPassableByHostApp({ settings: { signature, ipWhitelist } }: Miniapp): boolean {
  if (signature.enabled) return signature.algorithm !== 'RSA2' && signature.algorithm !== 'ECDSA';
  return ipWhitelist.enabled;
}
