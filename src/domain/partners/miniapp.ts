import type { Credentials } from '../credentials/credential';
import { defaultSignatureSettings, type SignatureSettings } from '../credentials/signing/signature-settings';
import type { SignatureDryRun } from '../credentials/dry-run/signature-dry-run';
import type { FeatureSwitches } from './features';
import type { IpWhitelist } from './host-app';

/** The user fields that a miniapp can require, named as on the wire. */
export const userFields = ['email', 'phone', 'first_name', 'last_name', 'custom_attributes'] as const;
export type UserField = (typeof userFields)[number];

/** URLs of the miniapp's back end, absolute; each is absent until it is set up. */
export interface MiniappEndpoints {
  readonly getAuthToken?: string;
  readonly webhook?: string;
  readonly eventsBridge?: string;
}

export const analyticsSignatures = ['required', 'when_sent'] as const;
export type AnalyticsSignature = (typeof analyticsSignatures)[number];

/** The stored settings of a miniapp, without its credentials (contract/resources#miniapp). */
export interface MiniappSettings {
  readonly name: string;
  readonly logo?: string;
  /** Shown to people who browse a list of miniapps. */
  readonly longDescription?: string;
  readonly category?: string;
  /** URL of the miniapp's page, which the host app opens. */
  readonly url?: string;
  /** `commerce` needs at least an e-mail address or a phone number of each user. */
  readonly kind: 'standard' | 'commerce';
  readonly requiredUserFields: readonly UserField[];
  readonly endpoints: MiniappEndpoints;
  readonly whiteListedUrls: readonly string[];
  readonly ipWhitelist: IpWhitelist;
  readonly features: FeatureSwitches;
  /** Whether a host app may propose an integration. */
  readonly takesProposals: boolean;
  readonly signature: SignatureSettings;
  /**
   * `required`: analytics reports must be signed while signing is on; `when_sent`: only a signature that is sent must be valid
   * (contract/analytics#signed-reports).
   */
  readonly analyticsSignature: AnalyticsSignature;
  /** Signature settings in a dry run beside `signature`. Absent when there is none. */
  readonly signatureDryRun?: SignatureDryRun;
}

/** The partner application that is embedded. Frozen; a change makes a new record with a higher version. */
export interface Miniapp {
  readonly kind: 'miniapp';
  /** The App ID. */
  readonly id: string;
  /** Increases with each change of settings or credentials. */
  readonly version: number;
  readonly settings: MiniappSettings;
  readonly credentials: Credentials;
}

export const defaultMiniappSettings: Omit<MiniappSettings, 'name'> = {
  kind: 'standard',
  requiredUserFields: [],
  endpoints: {},
  whiteListedUrls: [],
  ipWhitelist: { enabled: false, addresses: [] },
  features: {},
  takesProposals: true,
  signature: defaultSignatureSettings,
  analyticsSignature: 'required',
};
