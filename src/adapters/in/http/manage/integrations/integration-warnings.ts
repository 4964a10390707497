import { eventCheckProblems, eventCheckWarning } from '../../../../../domain/partners/event-checks';
import type { IntegrationRecord } from '../../../../../domain/partners/integrations/integration';
import type { HostAppRepository, MiniappRepository } from '../../../../../domain/partners/ports';
import { isUndecided } from '../../../../../domain/partners/integrations/proposal';
import type { SettingWarning } from '../../../../../domain/partners/setting-warnings';
import { integrationView } from './integration.dto';
import type { PlainObject } from '../http/merge-patch';
import { warningView } from '../partners/partner-mapper';

interface Parties {
  readonly hostApps: Pick<HostAppRepository, 'find'>;
  readonly miniapps: Pick<MiniappRepository, 'find'>;
}

/** A single integration with all of its warnings; `found` are those about the request. */
export async function viewWithWarnings(
  integrationRecord: IntegrationRecord,
  parties: Parties,
  found: readonly SettingWarning[] = [],
): Promise<PlainObject> {
  const warnings = [...found, ...(await settingWarnings(integrationRecord, parties))];
  return { ...integrationView(integrationRecord), warnings: warnings.map(warningView) };
}

/** While a proposal is undecided, no warning may reveal the other side's settings. */
async function settingWarnings(integrationRecord: IntegrationRecord, { hostApps, miniapps }: Parties): Promise<readonly SettingWarning[]> {
  if (isUndecided(integrationRecord)) return [];
  const [hostApp, miniapp] = await Promise.all([hostApps.find(integrationRecord.clientId), miniapps.find(integrationRecord.appId)]);
  if (!hostApp || !miniapp) return [];
  const { settings } = integrationRecord;
  const clash = eventCheckProblems(settings.hostAppEventsCheckedBy, { hostApp, miniapp });
  const warning = eventCheckWarning(settings, miniapp);
  return [...clash.map(({ path, rule, cause = '' }) => ({ path, cause, message: rule })), ...(warning ? [warning] : [])];
}
