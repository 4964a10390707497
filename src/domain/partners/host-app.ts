import type { Credentials } from '../credentials/credential';
import { defaultSignatureSettings, type SignatureSettings } from '../credentials/signature-settings';
import type { SignatureShadow } from '../credentials/signature-shadow';
import type { FeatureSwitches } from './features';

/** Who may call, by address. On and empty: nobody but the platform's own payment addresses. */
export interface IpWhitelist {
  readonly enabled: boolean;
  /** Single addresses and CIDR, IPv4 and IPv6. */
  readonly addresses: readonly string[];
  /** What people call an entry, by its text; absent: nothing is named. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** The host app's back end: absolute URLs, each absent until set up. */
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
  /** While signing is on, ask for Basic too. */
  readonly basicWithSignature: boolean;
  /** The user name of Basic toward the host app; its secret is the credential `host_app_secret_key`. */
  readonly hostAppClientId?: string;
  /** The word before the Basic value toward the host app. */
  readonly credentialScheme: string;
  readonly endpoints: HostAppEndpoints;
  /** The word before a user access token. */
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
  /** Its own cap of status polls per second, over all instances; absent: that of the service. */
  readonly reconcileMaxPerSecond?: number;
  readonly ipWhitelist: IpWhitelist;
  readonly features: FeatureSwitches;
  /** Whether the other kind of partner may propose an integration. */
  readonly takesProposals: boolean;
  /** Whether pages may list the miniapps of its accepted integrations. */
  readonly publicMiniappList: boolean;
  readonly signature: SignatureSettings;
  /** Settings that are tried beside those; absent: none are. */
  readonly signatureShadow?: SignatureShadow;
}

/** A partner application that embeds miniapps. Frozen; a change makes a new record with a higher version. */
export interface HostApp {
  readonly kind: 'host-app';
  /** The Client ID. */
  readonly id: string;
  /** Rises with each change of settings or credentials. */
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
