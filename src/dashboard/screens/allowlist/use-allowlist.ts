import { manage } from '../../api/manage';
import { useDeed } from '../../api/use-deed';
import type { PartnerRef } from '../../parts/use-partner-choice';

/** What of the allowlist is written. */
export interface AllowlistChange {
  readonly enabled?: boolean;
  readonly addresses?: readonly string[];
  /** By entry; null takes a label away. */
  readonly labels?: Readonly<Record<string, string | null>>;
}

/** Changes the allowlist. What it throws is shown where it was asked for. */
export const useAllowlistChange = ({ path }: PartnerRef, done: string) =>
  useDeed((change: AllowlistChange) => manage('PATCH', path, { body: { ip_whitelist: change } }), {
    touches: [`${path}/ip-whitelist`, path],
    done,
    tells: false,
  });
