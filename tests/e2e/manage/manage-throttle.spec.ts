import { partnerLimits } from '../../../src/adapters/in/http/manage/limits/partner-budget';
import { T } from '../../../src/composition/tokens/tokens';
import type { Exchange } from '../../../src/domain/exchanges/exchange';
import type { ExchangeReader } from '../../../src/domain/exchanges/ports';
import { PostgresAccountRepository } from '../../../src/adapters/out/postgres/accounts/postgres-account-repository';
import { PostgresSessionRepository } from '../../../src/adapters/out/postgres/accounts/postgres-session-repository';
import { aPair, type Pair } from '../../support/signatures/a-pair';
import { startTestService, until, type Reply, type TestService } from '../../support/service/service';
import { anAccountOf, headersOf } from '../../support/service/signed-in';

/** Lists exchanges when the test says so. */
class HeldReader implements ExchangeReader {
  private waiting: (() => void)[] = [];
  private isHeld = false;

  hold(): void {
    this.isHeld = true;
  }
  release(): void {
    this.isHeld = false;
    for (const go of this.waiting.splice(0)) go();
  }
  async list(): Promise<readonly Exchange[]> {
    if (this.isHeld) await new Promise<void>((go) => this.waiting.push(go));
    return [];
  }
  find(): Promise<Exchange | undefined> {
    return Promise.resolve(undefined);
  }
  failuresAt(): Promise<readonly Exchange[]> {
    return Promise.resolve([]);
  }
}

const reader = new HeldReader();
let service: TestService;
let pair: Pair;
beforeAll(async () => {
  service = await startTestService({ change: (container) => void container.rebind(T.exchangeReader).toConstantValue(reader) });
  pair = await aPair(service);
});
afterAll(() => service.close());

const records = () => ({
  accounts: new PostgresAccountRepository(service.database.db),
  sessions: new PostgresSessionRepository(service.database.db),
});
/** A browser in which an account of this partner is signed in. */
const browserOf = async (role: Parameters<typeof anAccountOf>[1]): Promise<Record<string, string>> => {
  const account = await anAccountOf(records(), role);
  return headersOf(records(), account.id, service.url);
};
const list = (headers: Record<string, string>): Promise<Reply> => service.call('GET', '/manage/v1/exchanges?limit=200', { headers });

/** Sends more calls than may run and wait; none ends before `work`, and then all do. Resolves to their statuses. */
const flooded = async (headers: Record<string, string>, work: (refused: Reply) => Promise<void>): Promise<number[]> => {
  reader.hold();
  const calls = Array.from({ length: partnerLimits.running + partnerLimits.waiting + 1 }, () => list(headers));
  try {
    await work(await Promise.race(calls));
  } finally {
    reader.release();
  }
  return (await Promise.all(calls)).map(({ status }) => status);
};

describe('accounts of a partner that send too many calls at once', () => {
  it('are refused with the time to wait, and served again after it', async () => {
    const browser = await browserOf({ role: 'host-app', clientId: pair.clientId });
    const statuses = await flooded(browser, async ({ status, headers, body }) => {
      expect([status, headers.get('retry-after'), body.type]).toEqual([429, '1', 'urn:pierhead:problem:too-many']);
    });
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    await until(
      () => list(browser),
      ({ status }) => status === 200,
    );
  });

  it('cost nothing for a second: no session is read and no line is logged', async () => {
    const browser = await browserOf({ role: 'miniapp', appId: pair.appId });
    await flooded(browser, async () => {
      const { status, headers, body } = await list({ ...browser, 'X-Request-Id': 'refused-early' });
      expect([status, headers.get('retry-after'), body.type]).toEqual([429, '1', 'urn:pierhead:problem:too-many']);
      expect(headers.get('x-request-id')).toBe('refused-early');
    });
    expect(service.logText()).not.toContain('refused-early');
    expect(service.logText()).toContain(`"partner":"miniapp:${pair.appId}"`);
  });

  it('hold back neither another partner nor the operator', async () => {
    const { clientId } = pair;
    const [browser, other] = [await browserOf({ role: 'host-app', clientId }), await browserOf({ role: 'miniapp', appId: pair.appId })];
    const viewing = await browserOf({ role: 'operator' });
    const viewAs = { headers: viewing, body: { role: 'host-app', client_id: clientId } };
    expect((await service.call('PUT', '/manage/v1/session/view-as', viewAs)).status).toBe(200);
    const payments = (headers: Record<string, string>) => service.call('GET', '/manage/v1/payments', { headers });
    await flooded(browser, async () => {
      const served = await Promise.all([payments(other), payments(viewing), service.manage('GET', 'payments')]);
      expect(served.map(({ status }) => status)).toEqual([200, 200, 200]);
    });
  });
});
