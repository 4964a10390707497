import { Axios } from 'axios';
import { Validator } from 'class-validator';
import { createLogger } from 'winston';
import { aPair, type Pair } from '../../support/signatures/a-pair';
import { callsOf } from '../../support/counted-calls';
import { startTestService, type TestService } from '../../support/service/service';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

describe('the libraries carry a connect', () => {
  let service: TestService;
  let miniapp: StubMiniapp;
  let pair: Pair;
  beforeAll(async () => {
    miniapp = await new StubMiniapp().start();
    service = await startTestService();
    pair = await aPair(service, { miniappUrl: miniapp.url });
    await connect();
  });
  afterAll(async () => {
    await service.close();
    await miniapp.stop();
  });

  const connect = async (): Promise<void> => {
    const body = { client_id: pair.clientId, app_id: pair.appId, user: { reference: 'u' } };
    expect((await service.call('POST', '/api/v1/connect', { headers: pair.basic, body })).status).toBe(200);
  };

  it('Express routes it once, through one router', async () => {
    expect(await callsOf([[service.composed.app.router, 'handle']], connect)).toEqual({ handle: 1 });
  });

  it('axios makes the one request to the partner', async () => {
    expect(await callsOf([[Axios.prototype, 'request']], connect)).toEqual({ request: 1 });
  });

  it('class-validator reads the body and the reply of the partner', async () => {
    expect(await callsOf([[Validator.prototype, 'validateSync']], connect)).toEqual({ validateSync: 2 });
  });

  it('winston writes the one line', async () => {
    const { constructor } = createLogger();
    const logger = Object.getPrototypeOf(constructor.prototype) as { write: () => void };
    expect(await callsOf([[logger, 'write']], connect)).toEqual({ write: 1 });
  });
});
