import { refusal } from '../../shared/errors';
import type { FeatureSwitches } from '../features';
import type { HostApp } from '../host-app';
import type { Miniapp } from '../miniapp';
import type { PartnerKind } from '../registry-errors';

/**
 * The partner whose checks a host app's event must pass (contract/events#checks-of-a-host-apps-event). `both`: the host app's first, then
 * the miniapp's.
 */
export const eventCheckers = ['miniapp', 'host_app', 'both'] as const;
export type EventChecker = (typeof eventCheckers)[number];

/** The settings of an integration (contract/resources#integration). */
export interface IntegrationSettings {
  readonly status: 'proposed' | 'accepted' | 'suspended';
  readonly features: FeatureSwitches;
  readonly merchantId?: string;
  readonly eventDelivery: 'relay' | 'durable';
  /** The partner whose checks a host app's event must pass. */
  readonly hostAppEventsCheckedBy: EventChecker;
  readonly reconcile: boolean;
  /** Whether the host app's public list shows the miniapp. */
  readonly listed: boolean;
}

/** A proposal of one partner to the other. Times are milliseconds since the epoch. */
export interface Proposal {
  /** The side that proposes; the other side decides. */
  readonly by: PartnerKind;
  /** A message to the other side, at most `proposalRules.noteLength` characters. */
  readonly note?: string;
  readonly at: number;
  /** Absent while the proposal waits for a decision. */
  readonly declinedAt?: number;
}

/** The stored integration, with the ids of its partners. */
export interface IntegrationRecord {
  readonly id: string;
  readonly clientId: string;
  readonly appId: string;
  /** Increases with each change. */
  readonly version: number;
  readonly settings: IntegrationSettings;
  /** A partner's proposal while the status is `proposed`. Absent then: the operator proposes. */
  readonly proposal?: Proposal;
}

/** An integration with both of its partners, as read for one request. */
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

/** Joins the three records. Throws NO_INTEGRATION where there is no integration or it is not accepted. */
export function requireAccepted(hostApp: HostApp, miniapp: Miniapp, integrationRecord: IntegrationRecord | undefined): Integration {
  if (integrationRecord?.settings.status !== 'accepted')
    throw refusal('invalid', 'NO_INTEGRATION', { setting: 'status', side: 'platform' });
  return { id: integrationRecord.id, hostApp, miniapp, settings: integrationRecord.settings };
}
