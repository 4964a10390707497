import type { Credentials } from '../credentials/credential';
import { defaultSignatureSettings, type SignatureSettings } from '../credentials/signing/signature-settings';
import type { SignatureDryRun } from '../credentials/dry-run/signature-dry-run';
import type { FeatureSwitches } from './features';

/** Addresses that may call. Enabled and empty: only the platform's own payment addresses may. */
export interface IpWhitelist {
  readonly enabled: boolean;
  /** Single addresses and CIDR networks, IPv4 and IPv6. */
  readonly addresses: readonly string[];
  /** Display names of entries, by the entry's text. Absent when no entry has one. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** URLs of the host app's back end, absolute; each is absent until it is set up. */
export interface HostAppEndpoints {
  readonly accessToken?: string;
  readonly refreshToken?: string;
  readonly userData?: string;
  readonly createOrderPayment?: string;
  readonly getOrderPaymentStatus?: string;
  readonly eventsBridge?: string;
  readonly clientAccessToken?: string;
}

export interface ConsentLink {
  readonly title: string;
  readonly url: string;
}

/** The stored settings of a host app, without its credentials (contract/resources#host-app). */
export interface HostAppSettings {
  readonly name: string;
  readonly logo?: string;
  readonly basicAuthValidation: boolean;
  /** Whether Basic is required as well while signing is on. */
  readonly basicWithSignature: boolean;
  /** Our user name for Basic at the host app; the secret is the credential `host_app_secret_key`. */
  readonly hostAppClientId?: string;
  /** The scheme in the `Authorization` header to the host app, before the Basic value. */
  readonly credentialScheme: string;
  readonly endpoints: HostAppEndpoints;
  /** The prefix before a user access token. */
  readonly accessTokenPrefix: string;
  readonly useAccessToken: boolean;
  readonly clientAccessTokenScope?: string;
  readonly consentInPopup: boolean;
  readonly serverSideSignOn: boolean;
  readonly consentRequired: boolean;
  readonly publicRevoke: boolean;
  readonly isConsentEnabled: boolean;
  readonly consentText?: string;
  readonly consentLinks: readonly ConsentLink[];
  readonly colors: Readonly<Record<string, string>>;
  readonly payloadCipher: 'any' | 'gcm';
  /** Maximum status polls per second at this host app, over all instances. Absent: the service's default. */
  readonly reconcileMaxPerSecond?: number;
  readonly ipWhitelist: IpWhitelist;
  readonly features: FeatureSwitches;
  /** Whether a miniapp may propose an integration. */
  readonly takesProposals: boolean;
  /** Whether web pages may list the miniapps of the host app's accepted integrations. */
  readonly publicMiniappList: boolean;
  readonly signature: SignatureSettings;
  /** Signature settings in a dry run beside `signature`. Absent when there is none. */
  readonly signatureDryRun?: SignatureDryRun;
}

/** The partner application that embeds miniapps. Frozen; a change makes a new record with a higher version. */
export interface HostApp {
  readonly kind: 'host-app';
  /** The Client ID. */
  readonly id: string;
  /** Increases with each change of settings or credentials. */
  readonly version: number;
  readonly settings: HostAppSettings;
  readonly credentials: Credentials;
}

export const defaultHostAppSettings: Omit<HostAppSettings, 'name'> = {
  basicAuthValidation: true,
  basicWithSignature: false,
  credentialScheme: 'Basic',
  endpoints: {},
  accessTokenPrefix: 'Token',
  useAccessToken: false,
  consentInPopup: false,
  serverSideSignOn: false,
  consentRequired: false,
  publicRevoke: false,
  isConsentEnabled: false,
  consentLinks: [],
  colors: {},
  payloadCipher: 'any',
  ipWhitelist: { enabled: false, addresses: [] },
  features: {},
  takesProposals: true,
  publicMiniappList: true,
  signature: defaultSignatureSettings,
};
