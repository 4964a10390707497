import type { Browser } from 'playwright-core';
import { startDevelopmentService, type DevelopmentService } from '../support/service/development-service';
import { openBrowser, PlaygroundBrowser } from '../support/dashboard/playground-browser';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

interface Listed {
  readonly data: readonly Record<string, unknown>[];
}

describe('the playground in a browser', () => {
  let service: DevelopmentService;
  let browser: Browser;
  /** When the command was given, and how long it took until the service was up, in milliseconds. */
  let began: number;
  let upAfter: number;

  beforeAll(async () => {
    began = performance.now();
    service = await startDevelopmentService();
    upAfter = performance.now() - began;
    browser = await openBrowser();
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  afterEach(async () => {
    for (const partner of [service.hostAppUrl, service.miniappUrl]) await fetch(`${partner}/sandbox/reset`, { method: 'POST' });
    // What a fault has put off is received before the next test: its queue is free again.
    const headers = { 'Content-Type': 'application/json' };
    await fetch(`${service.hostAppUrl}/sandbox/clock/advance`, { method: 'POST', headers, body: '{"seconds":43200}' });
  });

  const open = async (viewport: typeof desktop, as = { user: '由紀 森', flow: 'Auth code' }): Promise<PlaygroundBrowser> => {
    // A click on a sheet that moves between pressing and releasing the button is lost.
    const page = new PlaygroundBrowser(await browser.newPage({ viewport, reducedMotion: 'reduce' }));
    await page.launch(`${service.hostAppUrl}/`, as);
    return page;
  };
  const list = async (url: string): Promise<Listed['data']> => ((await (await fetch(url)).json()) as Listed).data;
  const payment = async (id: string) => (await list(`${service.hostAppUrl}/sandbox/payments`)).find((one) => one.order_payment_id === id);
  const webhooks = async (id: string) =>
    (await list(`${service.miniappUrl}/sandbox/webhooks`))
      .map(({ body }) => body as Record<string, unknown>)
      .filter((body) => body.order_payment_id === id);
  const calls = async (partner: string) =>
    (await list(`${partner}/sandbox/calls`)).map(({ method, path }) => `${String(method)} ${String(path)}`);

  const codeFlow = ['POST /sandbox/codes', 'POST /api/v1/authorize/', 'POST /oauth/token', 'GET /user', 'POST /auth'];
  const directFlow = ['POST /sandbox/connect', 'POST /api/v1/connect/', 'POST /auth'];

  it.each([
    ['Auth code', 'Mia Berg', codeFlow],
    ['Direct', 'Omar Haddad', directFlow],
  ])('signs on by %s, pays, sends events both ways and signs out', async (flow, user, signOnLegs) => {
    const playground = await open(desktop, { user, flow });
    const { page, shop } = playground;
    expect(await playground.signOn()).toBe(true);

    const { id, amount, ticket } = await playground.buy('90');
    if (flow === 'Auth code') stopwatch();
    expect(await playground.proofOf('POST /api/v1/orders/create-order-payment/')).toMatch(/^signed \(HMAC\).*Checks passed\s+signature\b/s);
    expect(await playground.proofOf('POST /webhook')).toMatch(/^signed \(HMAC\)/);
    expect([amount, ticket]).toEqual(['24.90', 'paid']);
    expect(await payment(id)).toMatchObject({
      amount: '24.90',
      payment_status: 'paid',
      complete_order: [{ payment_status: 'paid', status: 200 }],
    });
    expect(await webhooks(id)).toEqual([expect.objectContaining({ payment_status: 'paid' })]);

    await shop.getByRole('button', { name: 'Share' }).click();
    await page.getByText(/was shared/).waitFor();
    await shop.getByRole('button', { name: 'Add to calendar' }).click();
    await shop.getByText('The host app was told').waitFor();
    await playground.choose('Send an event to the shop');
    await shop.getByText('leaves from pier 3').waitFor();
    await playground.choose('Sign out of the shop');
    await shop.getByText('Welcome aboard').waitFor();

    await playground.shows('POST /webhook');
    await playground.shows('AppBoxoWebAppLogout');
    const legs = await playground.legs();
    expect(legs).toEqual(
      expect.arrayContaining(['GET /api/v1/miniapps/app_ferrys/settings/', 'AppBoxoWebAppLogin', 'AppBoxoWebAppPay: success']),
    );
    expect(legs.filter((leg) => signOnLegs.includes(leg))).toEqual(signOnLegs);
    const ofPayment = [
      '/api/v1/orders/create-order-payment/',
      '/payments',
      '/sandbox/payments/{id}/pay',
      '/api/v1/orders/complete-order/',
      '/webhook',
    ];
    expect(legs.filter((leg) => ofPayment.some((path) => leg === `POST ${path}`))).toEqual(ofPayment.map((path) => `POST ${path}`));
    const [atHostApp, atMiniapp] = [await list(`${service.hostAppUrl}/sandbox/events`), await list(`${service.miniappUrl}/sandbox/events`)];
    expect(atHostApp.at(-1)?.body).toMatchObject({ event_type: 'ticket.booked', payload: { passengers: 2 } });
    expect(atMiniapp.at(-1)?.body).toMatchObject({ event_type: 'departure.changed' });
    expect(await calls(service.miniappUrl)).toEqual(expect.arrayContaining(['POST /auth', 'POST /webhook', 'POST /events']));
    expect(playground.errors).toEqual([]);
    expect([...playground.origins].sort()).toEqual([service.miniappUrl, service.url, service.hostAppUrl].sort());
    await page.close();
  });

  it('admits no order of the shop without its signature', async () => {
    const body = JSON.stringify({ client_id: 'host_sandbox00001', app_id: 'app_ferrys', order: { currency: 'USD', amount: '24.90' } });
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${service.url}/api/v1/orders/create-order-payment/`, { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toMatchObject([401, { error_code: 'MISSING_HEADER' }]);
  });

  const stopwatch = (): void => {
    const seconds = (ms: number): string => (ms / 1000).toFixed(1);
    const all = performance.now() - began;
    process.stdout.write(
      `From the command (built) to a signed, paid order: ${seconds(all)} s, of which ${seconds(upAfter)} s until the service was up\n`,
    );
    expect(all).toBeLessThan(300_000);
  };

  it('asks for consent once, and again after it was withdrawn', async () => {
    const playground = await open(desktop);
    const { page, shop } = playground;
    await playground.signOn();
    await playground.choose('Sign out of the shop');
    expect(await playground.signOn()).toBe(false);
    await playground.choose('Take consent back');
    await page.getByText('Consent was taken back').waitFor();
    await playground.choose('Sign out of the shop');
    await shop.getByRole('button', { name: 'Sign in with Harbour' }).click();
    await page.getByRole('button', { name: 'Not now' }).click();
    await shop.getByText('You were not signed in').waitFor();
    expect(playground.errors).toEqual([]);
    await page.close();
  });

  it('shows declined and cancelled payments, and who has to act after a failed call', async () => {
    const playground = await open(desktop);
    const { page, shop } = playground;
    await playground.signOn();
    expect(await playground.buy('01')).toMatchObject({ amount: '24.01', ticket: 'failed' });
    expect((await playground.buy('90', 'Cancel')).ticket).toBe('cancelled');
    expect(playground.errors).toEqual([]);
    await shop.locator('select').selectOption('04');
    await shop.getByRole('button', { name: /^Buy for/ }).click();
    await shop.getByText('FAILED_TO_PARSE_RESPONSE').waitFor();
    await page.getByText('The host app has to act').first().waitFor();
    await page.close();
  });

  it('sets the fault dials of both partners, and shows their effect', async () => {
    const playground = await open(desktop);
    const { page, shop } = playground;
    await page.getByRole('tab', { name: 'Faults and time' }).click();
    await page.getByRole('slider', { name: 'Miniapp: Answers 500' }).press('End');
    await page.getByRole('tab', { name: 'What happens' }).click();
    await shop.getByRole('button', { name: 'Sign in with Harbour' }).click();
    await shop.getByText('You were not signed in').waitFor();
    await page.getByText('The miniapp has to act').first().waitFor();
    await page.getByRole('tab', { name: 'Faults and time' }).click();
    const reset = page.waitForResponse((response) => response.url().endsWith('/sandbox/miniapp/reset'));
    await page.getByRole('button', { name: /Put all dials to 0/ }).click();
    await reset;
    await page.getByText('Nothing waits for its time').waitFor();
    expect(await (await fetch(`${service.miniappUrl}/sandbox/dials`)).json()).toMatchObject({ error_percent: 0 });
    await page.close();
  });

  it('shows hours of the retry schedule in seconds, in order', async () => {
    const playground = await open(desktop);
    const { page, shop } = playground;
    await playground.signOn();
    await fetch(`${service.miniappUrl}/sandbox/dials`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ error_percent: 100 }),
    });
    await shop.getByRole('button', { name: /^Buy for/ }).click();
    await page.getByRole('button', { name: /^Pay USD/ }).click();
    await playground.shows('POST /webhook');
    await page.getByRole('tab', { name: 'Faults and time' }).click();
    await page.getByRole('button', { name: '+ 6 h' }).click();
    await page.getByText('fell due on the way').waitFor();
    await page.getByRole('tab', { name: 'What happens' }).click();
    await page.getByText('try 7').waitFor();
    const rows = await page.locator('[data-leg="POST /webhook"]').allInnerTexts();
    const tries = rows.map((row) => Number(/try (\d+)/.exec(row)?.[1] ?? 1));
    expect(tries).toEqual(tries.map((_, i) => i + 1));
    await page.close();
  });

  it('gives the miniapp the whole screen of a phone', async () => {
    const playground = await open(phone);
    const { page } = playground;
    const frame = await page.locator('iframe').boundingBox();
    expect(frame).toMatchObject({ x: 0, width: phone.width });
    await playground.signOn();
    expect((await playground.buy('90')).ticket).toBe('paid');
    await page.getByRole('link', { name: /calls/ }).click();
    await playground.shows('POST /webhook');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
    expect(playground.errors).toEqual([]);
    await page.close();
  });

  it('works with the keyboard alone', async () => {
    const page = await browser.newPage({ viewport: desktop, reducedMotion: 'reduce' });
    await page.goto(`${service.hostAppUrl}/`);
    await page.getByRole('button', { name: /Skerry Ferries/ }).waitFor();
    const reached = page.locator('button:focus', { hasText: 'Skerry Ferries' });
    for (let i = 0; i < 12 && (await reached.count()) === 0; i += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.frameLocator('iframe').getByRole('button', { name: 'Sign in with Harbour' }).press('Enter');
    await page.frameLocator('iframe').getByText('Signed in with Harbour').or(page.getByRole('dialog')).first().waitFor();
    await page.close();
  });
});
