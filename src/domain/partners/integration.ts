import { refusal } from '../shared/errors';
import type { FeatureSwitches } from './features';
import type { HostApp } from './host-app';
import type { Miniapp } from './miniapp';

/** What the two partners agreed on (contract, manage.md: Integration). */
export interface IntegrationSettings {
  readonly status: 'proposed' | 'accepted' | 'suspended';
  readonly features: FeatureSwitches;
  readonly merchantId?: string;
  readonly eventDelivery: 'relay' | 'durable';
  /** Ask a host app's events for the host app's own credentials in addition. */
  readonly checkSenderCredentials: boolean;
  readonly reconcile: boolean;
}

/** The stored agreement, by the ids of its partners. */
export interface Agreement {
  readonly id: string;
  readonly clientId: string;
  readonly appId: string;
  /** Rises with each change. */
  readonly version: number;
  readonly settings: IntegrationSettings;
}

/** The agreement between one host app and one miniapp, with both of them, as one request sees it. */
export interface Integration {
  readonly id: string;
  readonly hostApp: HostApp;
  readonly miniapp: Miniapp;
  readonly settings: IntegrationSettings;
}

export const defaultIntegrationSettings: IntegrationSettings = {
  status: 'proposed',
  features: {},
  eventDelivery: 'relay',
  checkSenderCredentials: false,
  reconcile: true,
};

/** Joins the three, or refuses with NO_INTEGRATION where there is no agreement or it is not accepted. */
export function requireAccepted(hostApp: HostApp, miniapp: Miniapp, agreement: Agreement | undefined): Integration {
  if (agreement?.settings.status !== 'accepted') throw refusal('invalid', 'NO_INTEGRATION', { setting: 'status', side: 'platform' });
  return { id: agreement.id, hostApp, miniapp, settings: agreement.settings };
}
