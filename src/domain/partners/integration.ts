import { refusal } from '../shared/errors';
import type { FeatureSwitches } from './features';
import type { HostApp } from './host-app';
import type { Miniapp } from './miniapp';
import type { PartnerKind } from './registry-errors';

/** Whose checks a host app's event must pass (contract/events#checks-of-a-host-apps-event). `both`: the host app's first, then the miniapp's. */
export const eventCheckers = ['miniapp', 'host_app', 'both'] as const;
export type EventChecker = (typeof eventCheckers)[number];

/** What the two partners agreed on (contract/resources#integration). */
export interface IntegrationSettings {
  readonly status: 'proposed' | 'accepted' | 'suspended';
  readonly features: FeatureSwitches;
  readonly merchantId?: string;
  readonly eventDelivery: 'relay' | 'durable';
  /** Whose checks a host app's event must pass. */
  readonly hostAppEventsCheckedBy: EventChecker;
  readonly reconcile: boolean;
  /** Whether the miniapp stands in the host app's public list. */
  readonly listed: boolean;
}

/** What one of the two partners has put before the other. Times are milliseconds since the epoch. */
export interface Proposal {
  /** The one that proposes; the other decides. */
  readonly by: PartnerKind;
  /** A word to the other side, of a bounded length. */
  readonly note?: string;
  readonly at: number;
  /** Absent: it waits for an answer. */
  readonly declinedAt?: number;
}

/** The stored agreement, by the ids of its partners. */
export interface Agreement {
  readonly id: string;
  readonly clientId: string;
  readonly appId: string;
  /** Rises with each change. */
  readonly version: number;
  readonly settings: IntegrationSettings;
  /** While the status is `proposed`; absent then: the operator proposes. */
  readonly proposal?: Proposal;
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
  hostAppEventsCheckedBy: 'miniapp',
  reconcile: true,
  listed: true,
};

/** Joins the three, or refuses with NO_INTEGRATION where there is no agreement or it is not accepted. */
export function requireAccepted(hostApp: HostApp, miniapp: Miniapp, agreement: Agreement | undefined): Integration {
  if (agreement?.settings.status !== 'accepted') throw refusal('invalid', 'NO_INTEGRATION', { setting: 'status', side: 'platform' });
  return { id: agreement.id, hostApp, miniapp, settings: agreement.settings };
}
