import type { CredentialPolicy } from '../../../domain/credentials/credential-policy';
import { SaveConsentDto, UserOfPairDto } from './api/consent.dto';
import type { ConsentController } from './api/consent.controller';
import { MiniappSettingsDto, miniappSettings } from './api/miniapp-settings';
import { AuthorizeDto, ConnectDto } from './api/sign-on.dto';
import type { SignOnController } from './api/sign-on.controller';
import type { RelayRoute } from './relay-route';

/** The host app's checks that are on; none on: open, as specified. */
const hostAppsChecks: CredentialPolicy = { caller: 'host-app', basic: 'as-set', whenEmpty: 'open' };
/** Neither Basic, signature nor allowlist, whatever the apps have on: a browser calls. */
const noChecks: CredentialPolicy = { caller: 'anyone', basic: 'never', whenEmpty: 'open' };

const route = <Facts extends object>(declared: RelayRoute<Facts>): RelayRoute => declared as unknown as RelayRoute;

/** Every endpoint under /api/v1, read left to right: who may call, what is read, what is done (contract; decisions §1). */
export function apiRoutes({ signOn, consent }: { signOn: SignOnController; consent: ConsentController }): readonly RelayRoute[] {
  const fromServers = { fromBrowsers: false, recorded: true };
  return [
    route({
      ...{ call: 'connect', methods: ['POST'], path: '/connect', input: 'body', ...fromServers },
      ...{ policy: { ...hostAppsChecks, feature: 'sso' }, Facts: ConnectDto, action: signOn.connect },
    }),
    route({
      ...{ call: 'authorize', methods: ['POST'], path: '/authorize', input: 'body', fromBrowsers: true, recorded: true },
      ...{ policy: { ...noChecks, feature: 'sso' }, Facts: AuthorizeDto, action: signOn.authorize },
    }),
    route({
      ...{
        call: 'get_consent',
        methods: ['GET'],
        path: '/accounts/consent/get_consent',
        input: 'query',
        fromBrowsers: true,
        recorded: false,
      },
      ...{ policy: noChecks, Facts: UserOfPairDto, action: consent.read },
    }),
    route({
      ...{ call: 'save_consent', methods: ['POST'], path: '/accounts/consent/save_consent', input: 'body', ...fromServers },
      ...{ policy: hostAppsChecks, Facts: SaveConsentDto, action: consent.save },
    }),
    route({
      ...{ call: 'revoke', methods: ['POST', 'DELETE'], path: '/accounts/consent/revoke', input: 'either', ...fromServers },
      ...{ policy: { ...hostAppsChecks, waivedByPublicRevoke: true }, Facts: UserOfPairDto, action: consent.revoke },
    }),
    route({
      ...{ call: 'settings', methods: ['GET'], path: '/miniapps/:app_id/settings', input: 'query', fromBrowsers: true, recorded: false },
      ...{ policy: noChecks, Facts: MiniappSettingsDto, action: miniappSettings },
    }),
  ];
}
