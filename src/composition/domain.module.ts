import { ContainerModule } from 'inversify';
import { setTimeout as pause } from 'node:timers/promises';
import { AdmitCall } from '../domain/credentials/admit-call';
import { SharedFlights } from '../domain/shared/share-flight';
import { AuthorizeUser } from '../domain/sso/authorize-user';
import { ChangeConsent, ReadConsent } from '../domain/sso/change-consent';
import { ConnectUser } from '../domain/sso/connect-user';
import { provide } from './token';
import { T } from './tokens';

/** The use cases, each with its ports. */
export const useCases = new ContainerModule(({ bind }) => {
  provide(bind, T.flights, { board: T.flightBoard, clock: T.clock }, (deps) => new SharedFlights({ ...deps, pause: (ms) => pause(ms) }));
  provide(bind, T.admitCall, { directory: T.directory, tools: T.checkTools, clock: T.clock }, (deps) => new AdmitCall(deps));
  provide(
    bind,
    T.connectUser,
    { users: T.users, consents: T.consents, miniapp: T.miniappSignOn, clock: T.clock },
    (deps) => new ConnectUser(deps),
  );
  provide(
    bind,
    T.authorizeUser,
    { users: T.users, consents: T.consents, hostApp: T.hostAppSignOn, miniapp: T.miniappSignOn, flights: T.flights, clock: T.clock },
    (deps) => new AuthorizeUser(deps),
  );
  provide(bind, T.readConsent, { consents: T.consents }, (deps) => new ReadConsent(deps));
  provide(bind, T.changeConsent, { consents: T.consents, clock: T.clock }, (deps) => new ChangeConsent(deps));
});
