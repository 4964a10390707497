import { setTimeout as pause } from 'node:timers/promises';
import { seedPartners } from './dashboard/dashboard-credentials';
import { manageOf } from './dashboard/dashboard-traffic';
import type { DevelopmentService } from './service/development-service';
import { SandboxTraffic } from './dashboard/seeded-dashboard';

/** Rounds begin so many milliseconds apart: charts have slots of a minute, and each is to hold something. */
const roundMs = 15_000;
const users = ['user-mia-0001', 'user-omar-0002', 'user-yuki-0003'] as const;
/** What the cents of every second payment make of it (docs/guides/sandbox.md); the others go well. */
const cents = ['01', '02', '08', '07', '06', '04'] as const;

const people = [
  { email: 'ines.duarte@harbour.example', name: 'Inês Duarte', role: 'host-app', client_id: 'host_sandbox00001' },
  { email: 'tom.okafor@skerry.example', name: 'Tom Okafor', role: 'miniapp', app_id: 'app_ferrys' },
];

/** Without the address that its calls come from. */
const allowlist = {
  enabled: true,
  addresses: ['198.51.100.0/24', '203.0.113.7'],
  labels: { '198.51.100.0/24': 'Frankfurt', '203.0.113.7': 'Office' },
};

/** Traffic of the sandbox's partners as of a busy quarter of an hour: most goes well, each kind of trouble comes now and then. */
export class BusyQuarter {
  private round = 0;
  private ended = false;
  private readonly traffic: SandboxTraffic;

  private constructor(
    private readonly service: DevelopmentService,
    /** Of the host app whose calls come from an address that is not on its allowlist. */
    readonly refusedHostApp: string,
    private readonly refused: () => Promise<unknown>,
  ) {
    this.traffic = new SandboxTraffic(service);
  }

  /** Makes partners beside the sandbox's, who are refused now and then, and invites people. */
  static async prepare(service: DevelopmentService): Promise<BusyQuarter> {
    const seeded = await seedPartners(service);
    for (const person of people) await manageOf(service, 'POST', 'accounts', person);
    await seeded.connect();
    await manageOf(service, 'PATCH', `host-apps/${seeded.clientId}`, { ip_whitelist: allowlist });
    const features = { sso: true, payments: true, events: false };
    const proposal = { by: 'host-app', features, note: 'Tickets for our harbour tours, from May on.' };
    await manageOf(service, 'PUT', `integrations/${seeded.clientId}/app_ferrys/proposal`, proposal);
    return new BusyQuarter(service, seeded.clientId, async () => {
      await seeded.connect();
      const headers = { 'Content-Type': 'application/json', Authorization: `Basic ${btoa('host_sandbox00001:of-yesterday')}` };
      const body = JSON.stringify({ client_id: 'host_sandbox00001', app_id: 'app_ferrys', user_data: { reference: users[0] } });
      await fetch(`${service.url}/api/v1/connect/`, { method: 'POST', headers, body });
    });
  }

  /** Makes traffic for so many milliseconds; resolves then, or when asked to end. */
  async go(forMs: number): Promise<void> {
    const until = Date.now() + forMs;
    while (Date.now() < until && !this.ended) {
      const began = Date.now();
      await this.makeRound(this.round++);
      await pause(Math.max(0, Math.min(roundMs, until - began) - (Date.now() - began)));
    }
  }

  end(): void {
    this.ended = true;
  }

  private async makeRound(i: number): Promise<void> {
    const { traffic, service } = this;
    // The miniapp is away for a minute and a half, and its notices are tried again.
    if (i === 8) await traffic.miniappFails(100);
    if (i === 14) await traffic.miniappFails(0);
    for (const user of users.slice(i % 3)) await this.meanwhile(traffic.signOn(user));
    for (let n = 0; n <= i % 3; n++) await this.meanwhile(this.buy(`${String(12 + ((7 * i + n) % 60))}.50`));
    if (i % 2 === 1) await this.meanwhile(this.buy(`${String(20 + i)}.${cents[(i >> 1) % cents.length] ?? '02'}`));
    await this.meanwhile(
      post(`${service.miniappUrl}/shop/events`, { event_type: 'ticket_shown', payload: { crossing: `B-${String(i)}` } }),
    );
    await this.meanwhile(post(`${service.hostAppUrl}/sandbox/events/send`, { event_type: 'tier_changed', payload: { tier: 'gold' } }));
    if (i % 5 === 3) await this.meanwhile(this.refused());
  }

  private async buy(amount: string): Promise<void> {
    await this.traffic.pay(await this.traffic.open(amount));
  }

  /** A refusal on purpose ends a step, not the round. */
  private async meanwhile(step: Promise<unknown>): Promise<void> {
    await step.catch(() => undefined);
  }
}

async function post(url: string, body: object): Promise<void> {
  await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}
