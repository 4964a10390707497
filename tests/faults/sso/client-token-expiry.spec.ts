import { MemorySharedTaskStore } from '../../../src/adapters/out/memory/sso/memory-shared-task-store';
import { ClientAccessTokens } from '../../../src/adapters/out/partner-http/sso/client-access-tokens';
import type { OutboundGuard } from '../../../src/adapters/out/partner-http/outbound-guard';
import type { PartnerSender } from '../../../src/adapters/out/partner-http/partner-sender';
import { SharedTasks } from '../../../src/domain/shared/tasks/share-task';
import { aRelay } from '../../support/a-relay';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { reachableHostApp } from '../../support/partners/reachable-partners';
import { chanceOf, figure, inThisForm } from '../harness/fault-run';

const expiries = inThisForm({ short: 1000, long: 10_000 });
const instances = 3;
/** Calls at once at each instance, at each of the moments. */
const atOnce = 4;
const url = 'https://host.example/client-token';

/** Issues tokens that last as long as it says, by the same clock. */
class Issuer {
  fetches = 0;
  private lastsMs = 0;
  private issuedAt = 0;

  constructor(
    private readonly clock: ManualClock,
    private readonly chance: () => number,
  ) {}

  readonly sender: Pick<PartnerSender, 'send'> = {
    send: async (_request, read) => {
      await new Promise(setImmediate);
      this.lastsMs = (31 + Math.floor(this.chance() * 7200)) * 1000;
      this.issuedAt = this.clock.now();
      const body = Buffer.from(JSON.stringify({ access_token: `t-${++this.fetches}`, expires_in: this.lastsMs / 1000 }));
      return read({ status: 200, contentType: 'application/json', contentEncoding: '', retryAfter: '', body });
    },
  };

  get expiresAt(): number {
    return this.issuedAt + this.lastsMs;
  }

  /** Whether it takes the token now. */
  takes(authorization: string): boolean {
    return authorization === `Bearer t-${this.fetches}` && this.clock.now() < this.expiresAt;
  }
}

it('a client access token is fetched once for each expiry, and never used after it', async () => {
  const startedAt = performance.now();
  const [clock, chance] = [new ManualClock(), chanceOf('expiries')];
  const issuer = new Issuer(clock, chance);
  const store = new MemorySharedTaskStore({ clock, ids: new CountingIds() });
  const pause = () => new Promise<void>((resolve) => void setImmediate(resolve));
  const keepers = Array.from({ length: instances }, () => {
    const sharedTasks = new SharedTasks({ store, clock, pause });
    const guard: Pick<OutboundGuard, 'urlProblem'> = { urlProblem: () => undefined };
    const uses = { used: () => undefined };
    const refreshes = { refreshed: () => undefined };
    return new ClientAccessTokens({
      sender: issuer.sender as PartnerSender,
      guard: guard as OutboundGuard,
      sharedTasks,
      store,
      clock,
      uses,
      refreshes,
    });
  });
  const hostApp = reachableHostApp();
  let [calls, expired, maxFetches] = [0, 0, 0];
  const callAtOnce = async (): Promise<void> => {
    const one = (keeper: ClientAccessTokens) => keeper.token(aRelay(clock), hostApp, url);
    const tokens = await Promise.all(keepers.flatMap((keeper) => Array.from({ length: atOnce }, () => one(keeper))));
    calls += tokens.length;
    expired += tokens.filter(({ authorization }) => !issuer.takes(authorization)).length;
  };
  for (let expiry = 0; expiry < expiries; expiry++) {
    const before = issuer.fetches;
    await callAtOnce();
    maxFetches = Math.max(maxFetches, issuer.fetches - before);
    // Somewhere in its life; every third time in the half minute in which it is still good, and not used any more.
    const left = issuer.expiresAt - clock.now();
    clock.advance(Math.floor(chance() * left));
    await callAtOnce();
    clock.advance(Math.max(0, issuer.expiresAt - clock.now() - (expiry % 3 === 0 ? Math.floor(chance() * 30_000) : 0)));
  }
  const counts = { expiries, instances, calls, maxFetches, withExpired: expired };
  figure('expiry', counts, startedAt);
  expect(counts).toMatchObject({ maxFetches: 1, withExpired: 0 });
  expect(issuer.fetches).toBeGreaterThanOrEqual(expiries);
}, 300_000);
