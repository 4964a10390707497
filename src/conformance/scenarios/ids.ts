import { withHeader, withMember, withoutHeader } from '../changes';
import type { Role } from '../ports';
import type { Scenario } from '../scenario';
import { platformCalls } from './calls';
import { refuses } from './runs';

const own = {
  miniapp: { header: 'X-Miniapp-App-ID', member: 'app_id', other: 'X-Hostapp-Client-ID', stranger: 'app_0ther1' },
  'host-app': { header: 'X-Hostapp-Client-ID', member: 'client_id', other: 'X-Miniapp-App-ID', stranger: 'host_0therOther1' },
} as const;

const refused = '4xx or an error_code';

/** Scenarios for the ids of the integration. */
export function ids(role: Role): readonly Scenario[] {
  const { header, other, stranger } = own[role];
  return [
    ...platformCalls[role].map((call): Scenario => ({
      id: `ids.other-app-${call.slug}`,
      title: `${call.name}: a call that is meant for another app is refused`,
      sent: `a good call whose ${header} names another app`,
      expected: refused,
      line: 'idHeaders',
      fix: `Compare ${header} with your own id.`,
      run: refuses(call.kind, { after: withHeader(header, stranger) }),
    })),
    {
      id: 'ids.no-own',
      title: 'A call that does not say for whom it is is refused',
      sent: `a good call without ${header}`,
      expected: refused,
      line: 'idHeaders',
      fix: `Refuse a call without ${header}.`,
      run: refuses('lead', { after: withoutHeader(header) }),
    },
    {
      id: 'ids.no-counterpart',
      title: 'A call that does not say with whom is refused',
      sent: `a good call without ${other}`,
      expected: refused,
      line: 'idHeaders',
      fix: `Refuse a call without ${other}: it says whose users and payments are meant.`,
      run: refuses('lead', { after: withoutHeader(other) }),
    },
    inEvents(role),
  ];
}

function inEvents(role: Role): Scenario {
  const { member, stranger } = own[role];
  return {
    id: 'ids.event-body',
    title: 'An event that is meant for another app is refused',
    sent: `an event whose ${member} names another app`,
    expected: refused,
    line: 'events',
    fix: `Compare ${member} in the body with your own id.`,
    run: refuses('event', { before: withMember(member, stranger) }),
  };
}
