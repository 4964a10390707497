import { databaseKinds } from '../../support/postgres/database';
import { connects } from '../calls/prepared-calls';
import { listen as limit } from './limit';
import { listen as naive } from './naive';
import { openPeerStage, pairs } from './peer-stage';
import { listen as stack } from './stack';
import { listen as tuned } from './tuned/tuned';

const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres.each(Object.entries({ limit, naive, stack, tuned }))('the peer %s', (name, listen) => {
  let stage: Awaited<ReturnType<typeof openPeerStage>>;
  beforeAll(async () => (stage = await openPeerStage(listen)));
  afterAll(() => stage.close());
  const [connect] = connects(pairs.basic);

  it('answers a connect with the session that the miniapp gives', async () => {
    expect(await stage.send(connect!)).toMatchObject({ status: 200, json: { token: 'mini-token', refresh_token: 'mini-refresh' } });
  });

  it('refuses another secret, where it checks any', async () => {
    const { status } = await stage.send({ ...connect!, headers: { ...connect!.headers, authorization: 'Basic aG9zdF9hOm5v' } });
    expect(status).toBe(name === 'limit' ? 200 : 401);
  });
});
