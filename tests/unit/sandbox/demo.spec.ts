import { runDemo } from '../../../src/sandbox/demo/run-demo';
import { ToyPierhead, type Fault } from './toy-pierhead';

describe('the demo', () => {
  let pierhead: ToyPierhead;
  let lines: string[];

  beforeEach(async () => {
    lines = [];
    pierhead = await new ToyPierhead().start();
  });
  afterEach(() => pierhead.close());

  const demo = () =>
    runDemo({ serviceUrl: pierhead.url, operatorToken: pierhead.token, colour: false, patienceMs: 300, print: (line) => lines.push(line) });

  it('prints every leg of a service that works, and leaves nothing behind', async () => {
    expect(await demo()).toBe(true);
    const rows = lines.filter((line) => line.endsWith('✓'));
    const steps = rows.map((row) =>
      row
        .replace(/\b(host|app|pay)_\w+/, '…')
        .trim()
        .split(/ {2,}/)
        .slice(1, 4)
        .join(' | '),
    );
    expect(steps).toEqual([
      'host app → Pierhead | POST /api/v1/connect/ | 200',
      'Pierhead → miniapp | POST /auth | 200',
      'host page → Pierhead | GET /api/v1/accounts/consent/get_consent/ | 200',
      'host page → Pierhead | GET /api/v1/miniapps/…/settings/ | 200',
      'host app → Pierhead | POST /api/v1/connect/ | 401',
      'miniapp page → Pierhead | POST /api/v1/authorize/ | 200',
      'Pierhead → host app | POST /oauth/token | 200',
      'Pierhead → host app | GET /user | 200',
      'Pierhead → miniapp | POST /auth | 200',
      'miniapp page → Pierhead | POST /api/v1/authorize/ | 200',
      'host page → Pierhead | POST /api/v1/partner/login/ | 200',
      'Pierhead → miniapp | POST /auth | 200',
      'host page → Pierhead | POST /api/v1/partner/login/ | 400',
      'miniapp → Pierhead | POST /api/v1/orders/create-order-payment/ | 200',
      'Pierhead → host app | POST /payments | 200',
      'user → host app | POST /sandbox/payments/…/pay | 200',
      'host app → Pierhead | POST /api/v1/orders/complete-order/ | 200',
      'Pierhead → miniapp | POST /webhook | 200',
      'miniapp → Pierhead | POST /api/v1/orders/get-payment-status/ | 200',
      'Pierhead → host app | POST /payments/status | 200',
      'miniapp → Pierhead | POST /api/v1/orders/create-order-payment/ | 400',
      'miniapp → Pierhead | POST /api/v1/orders/get-payment-status/ | 400',
      'miniapp → Pierhead | POST /api/v1/events/miniapp/ | 200',
      'Pierhead → host app | POST /events | 200',
      'host app → Pierhead | POST /api/v1/events/hostapp/ | 200',
      'Pierhead → miniapp | POST /events | 200',
      'miniapp → Pierhead | POST /api/v1/events/miniapp/ | 400',
      'miniapp → Pierhead | POST /api/v1/analytics/miniapp-transactions/ | 200',
      'miniapp → Pierhead | POST /api/v1/analytics/miniapp-transactions/ | 401',
      'operator → Pierhead | PATCH /manage/v1/host-apps/… | 200',
      'miniapp → Pierhead | POST /api/v1/orders/create-order-payment/ | 200',
      'Pierhead → host app | POST /payments | 401',
      'Pierhead → host app | POST /oauth/refresh | 200',
      'Pierhead → host app | POST /payments | 200',
    ]);
    expect(lines.at(-1)).toBe('All 34 legs as expected.');
    expect(pierhead.partners.size).toBe(0);
  });

  it.each<[Fault, RegExp]>([
    ['exchanges-twice', /POST \/oauth\/token .*✗ not expected here/],
    ['lets-anybody-in', /connect\/ .*✗ expected 401/],
    ['skips-miniapp', /POST \/auth .*✗ never came/],
    ['forgets-consent', /get_consent\/ .*✗ is_consented is not true/],
    ['changes-answer', /authorize\/ .*✗ another answer than before/],
    ['hangs-up', /connect\/ +– .*✗ /],
    ['forgets-webhook', /POST \/webhook +– .*✗ never came/],
    ['doubts-completion', /complete-order\/ +400 .*✗ expected 200/],
    ['rounds-amounts', /create-order-payment\/ .*✗ expected 400/],
    ['asks-for-unknown', /POST \/payments\/status .*✗ not expected here/],
    ['gives-up-token', /create-order-payment\/ .*✗ expected 200, got EXPIRED_ACCESS_TOKEN/],
    ['swallows-events', /POST \/events +– .*✗ never came/],
    ['takes-any-payload', /partner\/login\/ .*✗ expected 400/],
  ])('fails on a service that %s', async (fault, line) => {
    pierhead.faults.add(fault);
    expect(await demo()).toBe(false);
    expect(lines.some((text) => line.test(text))).toBe(true);
    expect(lines.at(-1)).toMatch(/legs were not as expected\.$/);
  });

  it('prints no secret', async () => {
    await demo();
    const output = lines.join('\n');
    for (const secret of [...pierhead.secrets, pierhead.token, pierhead.userTokens.access]) expect(output).not.toContain(secret);
    expect(pierhead.secrets).toHaveLength(2);
    expect(output).not.toMatch(/code_|session_|refresh_|access_/);
  });
});
