import { ManageCallFailed, ManageCalls } from '../../../src/sandbox/manage-calls';
import { json } from '../../support/partners/stub-behaviours';
import { StubPartner } from '../../support/partners/stub-partner';

describe('calls to the manage API', () => {
  let service: StubPartner;
  const waits: number[] = [];
  beforeEach(async () => {
    service = await new StubPartner().start();
    waits.length = 0;
  });
  afterEach(() => service.stop());

  const calls = () =>
    new ManageCalls({ serviceUrl: service.url, operatorToken: 'operator-token' }, (ms) => {
      waits.push(ms);
      return Promise.resolve();
    });
  const path = '/manage/v1/miniapps';
  const busy = json({ title: 'The service cannot answer right now' }, { status: 503 });

  it('are repeated with the same body if the database is busy', async () => {
    let requests = 0;
    service.on(path, (received, response) => (++requests < 3 ? busy : json({ app_id: 'app_1' }, { status: 201 }))(received, response));
    expect(await calls().send('POST', 'miniapps', [201], { name: 'Shop' })).toEqual({ status: 201, body: { app_id: 'app_1' } });
    expect(service.at(path).map(({ body }) => body.toString())).toEqual(Array(3).fill('{"name":"Shop"}'));
    expect(waits).toEqual([500, 500]);
  });

  it('give up after ten seconds with the answer of the service', async () => {
    service.on(path, busy);
    const failed = calls().send('POST', 'miniapps', [201], { name: 'Shop' });
    await expect(failed).rejects.toThrow(new ManageCallFailed('POST miniapps: 503 The service cannot answer right now'));
    expect(waits.reduce((sum, ms) => sum + ms)).toBe(10_000);
  });

  it('are not repeated for another status, or for one that is expected', async () => {
    service.on(path, json({ title: 'Wrong' }, { status: 400 }));
    await expect(calls().send('GET', 'miniapps', [200])).rejects.toThrow('GET miniapps: 400 Wrong');
    service.on(path, busy);
    expect((await calls().send('GET', 'miniapps', [200, 503])).status).toBe(503);
    expect(waits).toEqual([]);
  });
});
