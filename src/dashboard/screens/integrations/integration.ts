import { useRecord } from '../../api/use-record';
import type { Page } from '../../api/use-records';
import { successOf, totalOf, type OutcomeCounts, type PairPage } from '../../parts/figures/figures';
import type { Tone } from '../../parts/state-badge';
import type { ReadinessSummary } from './readiness';

/** The two kinds of partner, as roles call them. */
export type PartnerKind = 'host-app' | 'miniapp';

export const featureNames = ['sso', 'payments', 'events'] as const;
export type FeatureName = (typeof featureNames)[number];
export const featureTitles: Readonly<Record<FeatureName, string>> = { sso: 'Sign-on', payments: 'Payments', events: 'Events' };

/** true: on; false: switched off; absent: never set up. */
export type Features = Readonly<Partial<Record<FeatureName, boolean>>>;

/** Whose checks a host app's event must pass. */
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

/** What one of the two partners has put before the other. */
export interface Proposal {
  readonly by: PartnerKind;
  readonly note?: string;
  readonly at: string;
  /** Absent: it waits for an answer. */
  readonly declined_at?: string;
}

/** A host app or a miniapp; of the other side a partner sees its name alone. */
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

/** How many integrations are read at a time; requests beside a page of them use the same `cursor`. */
const pageSize = 50;

export const useIntegrations = (cursor?: string) =>
  useRecord<Page<Integration>>('/integrations', { query: { limit: pageSize, cursor }, live: 'integrations' });
export const useHostApps = () => useRecord<List<Partner>>('/host-apps', { query: { limit: 200 }, live: 'integrations' });
export const useMiniapps = () => useRecord<List<Partner>>('/miniapps', { query: { limit: 200 }, live: 'integrations' });
/** Of the page of integrations. */
export const useReadiness = (cursor?: string) =>
  useRecord<Page<ReadinessSummary>>('/integrations/readiness', { query: { limit: pageSize, cursor }, live: 'integrations' });
/** In the order of integrations: each of their page that had traffic is among them. */
export const usePairFigures = (cursor?: string) =>
  useRecord<PairPage>('/figures/integrations', { query: { order: 'id', limit: pageSize, cursor }, ranged: true, live: 'exchanges' });

export const statusTones = { proposed: 'wait', accepted: 'good', suspended: 'warn' } as const;

export interface Health {
  readonly tone: Tone;
  readonly words: string;
}

/** How a pair does, by the share of its requests that went well. */
export function healthOf(counts: OutcomeCounts | undefined): Health {
  const success = counts && successOf(counts);
  if (counts === undefined || success === undefined || success === null) return { tone: 'quiet', words: 'No traffic' };
  if (totalOf(counts) > 0 && success >= 99) return { tone: 'good', words: 'Healthy' };
  return success >= 90 ? { tone: 'warn', words: 'Unsteady' } : { tone: 'bad', words: 'Failing' };
}

/** The whole integration as it is written back, with changes. */
export const bodyOf = (
  { client_id: _c, app_id: _a, id: _i, version: _v, proposal: _p, warnings: _w, ...settings }: Integration,
  change: object,
): object => ({ ...settings, ...change });
