import type { Role } from '../ports';
import { groupOf, type Scenario } from '../scenario';
import { bodies } from './bodies';
import { clientToken } from './client-token';
import { credentials } from './credentials';
import { events } from './events';
import { hostAppPayments } from './host-app-payments';
import { hostAppRefresh } from './host-app-refresh';
import { hostAppSignOn } from './host-app-sign-on';
import { hostAppStatus } from './host-app-status';
import { hostAppUsers } from './host-app-users';
import { ids } from './ids';
import { miniappSignOn } from './miniapp-sign-on';
import { protocol } from './protocol';
import { signatures } from './signatures';
import { webhook } from './webhook';

const own: Readonly<Record<Role, readonly Scenario[]>> = {
  miniapp: [...miniappSignOn, ...webhook],
  'host-app': [...hostAppSignOn, ...hostAppUsers, ...hostAppRefresh, ...hostAppPayments, ...hostAppStatus, ...clientToken],
};

/** Every scenario of a role, in the order in which they are run. */
export const scenariosOf = (role: Role): readonly Scenario[] => [
  ...own[role],
  ...events,
  ...credentials(role),
  ...signatures(role),
  ...ids(role),
  ...protocol(role),
  ...bodies(role),
];

/** Scenarios with these groups and ids. For an unknown name, returns that name and the known ones. */
export function chosen(role: Role, names: readonly string[]): readonly Scenario[] | { readonly unknown: string } {
  const every = scenariosOf(role);
  const unknown = names.find((name) => !every.some((scenario) => scenario.id === name || groupOf(scenario) === name));
  if (unknown !== undefined) return { unknown };
  return names.length === 0 ? every : every.filter((scenario) => names.includes(scenario.id) || names.includes(groupOf(scenario)));
}
