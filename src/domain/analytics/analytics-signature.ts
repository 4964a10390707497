import type { ExchangeReader } from '../exchanges/ports';
import type { Miniapp } from '../partners/miniapp';
import type { SettingWarning } from '../partners/setting-warnings';

/** Maximum age of the searched reports of the miniapp, in milliseconds: 30 days (contract/analytics#signed-reports). */
const lookbackMs = 30 * 86_400_000;
/** Maximum number of the latest reports that are checked. */
const maxReports = 100;

/**
 * Warns where a miniapp signs, `analytics_signature` is `required`, and it reported analytics with Basic alone in the last 30 days: such
 * reports are now refused. `now` in milliseconds since the epoch.
 */
export async function analyticsWarnings(
  { id: appId, settings }: Miniapp,
  exchanges: Pick<ExchangeReader, 'list'>,
  now: number,
): Promise<readonly SettingWarning[]> {
  if (!settings.signature.enabled || settings.analyticsSignature !== 'required') return [];
  const filter = { appId, call: 'miniapp_transactions', statusClass: 2, from: now - lookbackMs };
  const reports = await exchanges.list(filter, { limit: maxReports });
  if (reports.every(({ checks }) => checks.includes('signature'))) return [];
  const message =
    'required: analytics came by Basic alone in the last 30 days and will be refused; when_sent takes them, and checks a signature that is sent';
  return [{ path: 'analytics_signature', cause: 'analytics-by-basic', message }];
}
