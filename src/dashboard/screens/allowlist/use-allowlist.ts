import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
import type { PartnerRef } from '../../parts/use-partner-choice';

/** A change of the allowlist. */
export interface AllowlistChange {
  readonly enabled?: boolean;
  readonly addresses?: readonly string[];
  /** By entry; null removes a label. */
  readonly labels?: Readonly<Record<string, string | null>>;
}

/** Changes the allowlist. The caller shows errors. */
export const useAllowlistChange = ({ path }: PartnerRef, done: string) =>
  useAction((change: AllowlistChange) => manage('PATCH', path, { body: { ip_whitelist: change } }), {
    touches: [`${path}/ip-whitelist`, path],
    done,
    showsErrors: false,
  });
