import { manage } from '../../api/manage';
import { useDeed } from '../../api/use-deed';
import { useRecord } from '../../api/use-record';
import type { PartnerRef } from '../../parts/use-partner-choice';
import type { Algorithm, Slot } from './credential';

export type ShadowMode = 'observe' | 'accept';

/** Settings that are tried beside the stored ones. */
export interface Shadow {
  readonly mode: ShadowMode;
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

/** The same with how calls fare. */
export interface TriedShadow extends Shadow {
  readonly report: {
    readonly counts: Verdicts;
    readonly last_at?: string;
    readonly reasons: readonly { readonly error_code?: string; readonly cause?: string; readonly count: number }[];
    readonly of_last: Verdicts & { readonly calls: number };
    readonly differing: readonly DifferingCall[];
  };
}

const pathOf = ({ path }: PartnerRef): string => `${path}/signature-shadow`;
const reads = ({ path }: PartnerRef) => ({ touches: [path], tells: false });

export const useShadow = (partner: PartnerRef, enabled: boolean) => useRecord<TriedShadow>(pathOf(partner), { everyMs: 5000, enabled });

/** Tries settings, or changes how those that are tried count. */
export const useSetShadow = (partner: PartnerRef) =>
  useDeed((body: { mode: ShadowMode; signature?: object }) => manage<TriedShadow>('PUT', pathOf(partner), { body }), reads(partner));

export const usePromoteShadow = (partner: PartnerRef) =>
  useDeed((previous_valid_for_s: number) => manage('POST', `${pathOf(partner)}/promote`, { body: { previous_valid_for_s } }), {
    ...reads(partner),
    done: 'Promoted: calls are signed this way now, in both directions',
  });

export const useEndShadow = (partner: PartnerRef) =>
  useDeed(() => manage('DELETE', pathOf(partner)), { ...reads(partner), done: 'Ended: the stored settings alone count' });
