import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { useRecord } from '../../api/use-record';
import type { PartnerRef } from '../../parts/use-partner-choice';
import type { Algorithm, Slot } from './credential';

export type DryRunMode = 'observe' | 'accept';

/** Settings of a dry run. */
export interface DryRun {
  readonly mode: DryRunMode;
  readonly key_slot: Slot;
  readonly since: string;
  readonly until: string;
  readonly signature: { readonly algorithm?: Algorithm; readonly hash: string; readonly platform_public_key?: string };
}

interface Verdicts {
  readonly passed: number;
  readonly refused: number;
  readonly gained: number;
}

export interface DifferingCall {
  readonly verdict: 'refused' | 'gained';
  readonly error_code?: string;
  readonly cause?: string;
  readonly request_id: string;
  readonly path: string;
  readonly at: string;
}

/** A dry run with the results of calls. */
export interface TriedDryRun extends DryRun {
  readonly report: {
    readonly counts: Verdicts;
    readonly last_at?: string;
    readonly reasons: readonly { readonly error_code?: string; readonly cause?: string; readonly count: number }[];
    readonly of_last: Verdicts & { readonly calls: number };
    readonly differing: readonly DifferingCall[];
  };
}

const pathOf = ({ path }: PartnerRef): string => `${path}/signature-dry-run`;
const reads = ({ path }: PartnerRef) => ({ touches: [path], showsErrors: false });

export const useDryRun = (partner: PartnerRef, enabled: boolean) => useRecord<TriedDryRun>(pathOf(partner), { everyMs: 5000, enabled });

/** Starts a dry run, or changes its mode. */
export const useSetDryRun = (partner: PartnerRef) =>
  useAction((body: { mode: DryRunMode; signature?: object }) => manage<TriedDryRun>('PUT', pathOf(partner), { body }), reads(partner));

export const usePromoteDryRun = (partner: PartnerRef) =>
  useAction((previous_valid_for_s: number) => manage('POST', `${pathOf(partner)}/promote`, { body: { previous_valid_for_s } }), {
    ...reads(partner),
    done: 'Promoted: calls are signed this way now, in both directions',
  });

export const useEndDryRun = (partner: PartnerRef) =>
  useAction(() => manage('DELETE', pathOf(partner)), { ...reads(partner), done: 'Ended: the stored settings alone count' });
