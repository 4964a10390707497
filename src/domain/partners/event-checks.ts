import { prepareSigning } from '../credentials/signing/signing-string';
import type { SignatureHeaderNames } from '../credentials/signing/signature-settings';
import type { FieldProblem } from '../shared/errors';
import type { HostApp } from './host-app';
import type { EventChecker, IntegrationSettings } from './integrations/integration';
import type { Miniapp } from './miniapp';
import type { SettingWarning } from './setting-warnings';

/** The name of the setting in the manage API. */
export const checkedBySetting = 'host_app_events_checked_by';

interface Parties {
  readonly hostApp: HostApp;
  readonly miniapp: Miniapp;
}

/**
 * Problems that keep one request from passing the checks of both apps: one header cannot hold two signatures, nor `Authorization` a
 * signature beside Basic. Empty: no problem, or only one app's checks apply.
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
  if (!requiresBasic(hostApp) || ![...ofHostApp, ...ofMiniapp].includes('authorization')) return [];
  const rule = 'both needs a signature header other than Authorization, which carries the Basic credentials of the host app';
  return [{ path, rule, cause: 'authorization-taken' }];
}

/** Whether the host app's own calls need Basic. While signing is on, only if the host app requires both. */
export const requiresBasic = ({ settings: { basicAuthValidation, basicWithSignature, signature } }: HostApp): boolean =>
  basicAuthValidation && (!signature.enabled || basicWithSignature);

/** Header names, in lower case, that a signed request of the app uses. Empty when the app does not sign. */
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

/** The message for a host app's event that the miniapp's checks refuse; also shown with the setting. */
export const checkedByMiniapp =
  "host_app_events_checked_by is miniapp: a host app's event passes only with the miniapp's secret or from an address on " +
  "the miniapp's allowlist, and never where the miniapp signs with a key pair. Set host_app or both to check the host app's own credentials.";

/** The warning for an integration with host app events that only the miniapp's checks decide on. */
export function eventCheckWarning({ features, hostAppEventsCheckedBy }: IntegrationSettings, miniapp: Miniapp): SettingWarning | undefined {
  if (features.events !== true || hostAppEventsCheckedBy !== 'miniapp') return undefined;
  return { path: checkedBySetting, cause: isPassableByHostApp(miniapp) ? 'checked-by-miniapp' : 'never-passes', message: checkedByMiniapp };
}

/** Whether a host app could pass the miniapp's checks: with a shared secret or from an allowed address, never with a key pair. */
export function isPassableByHostApp({ settings: { signature, ipWhitelist } }: Miniapp): boolean {
  if (signature.enabled) return signature.algorithm !== 'RSA2' && signature.algorithm !== 'ECDSA';
  return ipWhitelist.enabled;
}
