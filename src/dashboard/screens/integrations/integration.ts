import { useRecord } from '../../api/use-record';
import type { Page } from '../../api/use-records';
import { successOf, totalOf, type OutcomeCounts, type PairPage } from '../../parts/figures/figures';
import type { Tone } from '../../parts/state-badge';
import type { ReadinessSummary } from './readiness';

/** The two kinds of partner, with the names of the roles. */
export type PartnerKind = 'host-app' | 'miniapp';

export const featureNames = ['sso', 'payments', 'events'] as const;
export type FeatureName = (typeof featureNames)[number];
export const featureTitles: Readonly<Record<FeatureName, string>> = { sso: 'Sign-on', payments: 'Payments', events: 'Events' };

/** True is on; false is off; absent means never set up. */
export type Features = Readonly<Partial<Record<FeatureName, boolean>>>;

/** The side whose checks a host app's event must pass. */
export type EventChecker = 'miniapp' | 'host_app' | 'both';

export interface Integration {
  readonly client_id: string;
  readonly app_id: string;
  readonly id: string;
  readonly version: number;
  readonly status: 'proposed' | 'accepted' | 'suspended';
  readonly features: Features;
  readonly merchant_id?: string;
  readonly event_delivery?: string;
  readonly host_app_events_checked_by?: EventChecker;
  readonly reconcile?: boolean;
  readonly proposal?: Proposal;
  readonly warnings?: readonly { readonly path: string; readonly cause: string; readonly message: string }[];
}

/** A proposal by one of the two partners. */
export interface Proposal {
  readonly by: PartnerKind;
  readonly note?: string;
  readonly at: string;
  /** Absent while it waits for an answer. */
  readonly declined_at?: string;
}

/** A host app or a miniapp. Partners see only the name of the other side. */
export interface Partner {
  readonly client_id?: string;
  readonly app_id?: string;
  readonly name: string;
  readonly features?: Features;
  readonly [setting: string]: unknown;
}

interface List<Row> {
  readonly data: readonly Row[];
}

/** Integrations per page. Requests for data about the same page use the same `cursor`. */
const pageSize = 50;

export const useIntegrations = (cursor?: string) =>
  useRecord<Page<Integration>>('/integrations', { query: { limit: pageSize, cursor }, live: 'integrations' });
export const useHostApps = () => useRecord<List<Partner>>('/host-apps', { query: { limit: 200 }, live: 'integrations' });
export const useMiniapps = () => useRecord<List<Partner>>('/miniapps', { query: { limit: 200 }, live: 'integrations' });
/** Readiness of the integrations on the page. */
export const useReadiness = (cursor?: string) =>
  useRecord<Page<ReadinessSummary>>('/integrations/readiness', { query: { limit: pageSize, cursor }, live: 'integrations' });
/** Ordered like the integrations, so that it contains each one of the page that had traffic. */
export const usePairFigures = (cursor?: string) =>
  useRecord<PairPage>('/figures/integrations', { query: { order: 'id', limit: pageSize, cursor }, ranged: true, live: 'exchanges' });

export const statusTones = { proposed: 'wait', accepted: 'good', suspended: 'warn' } as const;

export interface Health {
  readonly tone: Tone;
  readonly words: string;
}

/** The health of an integration, by the share of successful requests. */
export function healthOf(counts: OutcomeCounts | undefined): Health {
  const success = counts && successOf(counts);
  if (counts === undefined || success === undefined || success === null) return { tone: 'quiet', words: 'No traffic' };
  if (totalOf(counts) > 0 && success >= 99) return { tone: 'good', words: 'Healthy' };
  return success >= 90 ? { tone: 'warn', words: 'Unsteady' } : { tone: 'bad', words: 'Failing' };
}

/** The whole integration in the writable form, with changes. */
export const bodyOf = (
  { client_id: _c, app_id: _a, id: _i, version: _v, proposal: _p, warnings: _w, ...settings }: Integration,
  change: object,
): object => ({ ...settings, ...change });
