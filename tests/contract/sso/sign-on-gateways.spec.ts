import { FakeHostAppSignOnGateway } from '../../fakes/fake-host-app-sign-on-gateway';
import { FakeMiniappSignOnGateway } from '../../fakes/fake-miniapp-sign-on-gateway';
import { partnerHttp } from '../../support/partners/partner-http';
import { aHostApp, aMiniapp, anIntegration } from '../../support/partners/partners';
import { StubHostApp, StubMiniapp } from '../../support/partners/stub-sign-on';
import { reachableHostApp } from '../../support/partners/reachable-partners';
import { hostAppSignOnGatewayContract } from './host-app-sign-on-gateway.contract';
import { miniappSignOnGatewayContract } from './miniapp-sign-on-gateway.contract';

hostAppSignOnGatewayContract('the fake', async () => {
  const hostApp = new FakeHostAppSignOnGateway();
  return { gateway: hostApp, hostApp, integration: anIntegration() };
});

miniappSignOnGatewayContract('the fake', async () => {
  const miniapp = new FakeMiniappSignOnGateway();
  return { gateway: miniapp, miniapp, integration: anIntegration() };
});

hostAppSignOnGatewayContract('over HTTP', async () => {
  const hostApp = await new StubHostApp().start();
  const partners = partnerHttp();
  return {
    gateway: partners.hostAppSignOn,
    hostApp,
    integration: anIntegration({ hostApp: reachableHostApp({ endpoints: hostApp.endpoints }) }),
    close: async () => {
      partners.close();
      await hostApp.stop();
    },
  };
});

miniappSignOnGatewayContract('over HTTP', async () => {
  const miniapp = await new StubMiniapp().start();
  const partners = partnerHttp();
  return {
    gateway: partners.miniappSignOn,
    miniapp,
    integration: anIntegration({ hostApp: aHostApp(), miniapp: aMiniapp({ endpoints: miniapp.endpoints }) }),
    close: async () => {
      partners.close();
      await miniapp.stop();
    },
  };
});
