import type { Credentials } from '../credentials/credential';
import { defaultSignatureSettings, type SignatureSettings } from '../credentials/signature-settings';
import type { SignatureShadow } from '../credentials/signature-shadow';
import type { FeatureSwitches } from './features';
import type { IpWhitelist } from './host-app';

/** The user fields that a miniapp can ask for, named as on the wire. */
export const userFields = ['email', 'phone', 'first_name', 'last_name', 'custom_attributes'] as const;
export type UserField = (typeof userFields)[number];

/** The miniapp's back end: absolute URLs, each absent until set up. */
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
  /** For people who look through a list of miniapps. */
  readonly longDescription?: string;
  readonly category?: string;
  /** The miniapp's page, opened by the host app. */
  readonly url?: string;
  /** `commerce` needs at least an e-mail address or a phone number of each user. */
  readonly kind: 'standard' | 'commerce';
  readonly requiredUserFields: readonly UserField[];
  readonly endpoints: MiniappEndpoints;
  readonly whiteListedUrls: readonly string[];
  readonly ipWhitelist: IpWhitelist;
  readonly features: FeatureSwitches;
  /** Whether the other kind of partner may propose an integration. */
  readonly takesProposals: boolean;
  readonly signature: SignatureSettings;
  /** Whether a report of analytics must be signed while signing is on, or only a signature that is sent must be right (contract/analytics#signed-reports). */
  readonly analyticsSignature: AnalyticsSignature;
  /** Settings that are tried beside those; absent: none are. */
  readonly signatureShadow?: SignatureShadow;
}

/** A partner application that is embedded. Frozen; a change makes a new record with a higher version. */
export interface Miniapp {
  readonly kind: 'miniapp';
  /** The App ID. */
  readonly id: string;
  /** Rises with each change of settings or credentials. */
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
