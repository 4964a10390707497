import { eventCheckProblems, eventCheckWarning } from '../../../../domain/partners/event-checks';
import type { Agreement } from '../../../../domain/partners/integration';
import type { HostAppRepository, MiniappRepository } from '../../../../domain/partners/ports';
import { isUndecided } from '../../../../domain/partners/proposal';
import type { SettingWarning } from '../../../../domain/partners/setting-warnings';
import { integrationView } from './integration.dto';
import type { PlainObject } from './merge-patch';
import { warningView } from './partner-wire';

interface Parties {
  readonly hostApps: Pick<HostAppRepository, 'find'>;
  readonly miniapps: Pick<MiniappRepository, 'find'>;
}

/** An integration as it is shown alone, with its warnings; `found` are those about the request. */
export async function viewWithWarnings(
  agreement: Agreement,
  parties: Parties,
  found: readonly SettingWarning[] = [],
): Promise<PlainObject> {
  const warnings = [...found, ...(await settingWarnings(agreement, parties))];
  return { ...integrationView(agreement), warnings: warnings.map(warningView) };
}

/** While one side only proposes, what the other has set is not told. */
async function settingWarnings(agreement: Agreement, { hostApps, miniapps }: Parties): Promise<readonly SettingWarning[]> {
  if (isUndecided(agreement)) return [];
  const [hostApp, miniapp] = await Promise.all([hostApps.find(agreement.clientId), miniapps.find(agreement.appId)]);
  if (!hostApp || !miniapp) return [];
  const { settings } = agreement;
  const clash = eventCheckProblems(settings.hostAppEventsCheckedBy, { hostApp, miniapp });
  const warning = eventCheckWarning(settings, miniapp);
  return [...clash.map(({ path, rule, cause = '' }) => ({ path, cause, message: rule })), ...(warning ? [warning] : [])];
}
