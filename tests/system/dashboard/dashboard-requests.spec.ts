import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type DashboardBrowser, desktop, phone } from '../../support/dashboard/dashboard-browser';
import { until } from '../../support/service/service';
import { inBrowser } from '../../support/dashboard/in-browser';

const run = promisify(execFile);

describe('requests in the dashboard', () => {
  const { service, openDashboard, newPage } = inBrowser();
  let appId: string;
  let clientId: string;

  const manage = async (path: string) =>
    (await fetch(`${service.url}/manage/v1/${path}`, { headers: { Authorization: `Bearer ${service.operatorToken}` } })).json() as Promise<{
      data: { id: string; state?: string }[];
    }>;
  const callService = (url: string, body: object, method = 'POST'): Promise<Response> =>
    fetch(url, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const order = { currency: 'USD', amount: '24.90', miniapp_order_id: 'seed-1', hostapp_user_id: 'user-omar-0002' };

  /** A sign-on, a payment with its completion, events both ways, a refused answer, and a signature made by hand that is wrong. */
  async function seed(): Promise<void> {
    const { hostAppUrl, miniappUrl } = service;
    for (const reference of ['user-mia-0001', 'user-omar-0002']) await callService(`${hostAppUrl}/sandbox/connect`, { reference });
    const created = (await (await callService(`${miniappUrl}/shop/orders`, { order })).json()) as { order_payment_id: string };
    await callService(`${hostAppUrl}/sandbox/payments/${created.order_payment_id}/pay`, {});
    await callService(`${miniappUrl}/shop/events`, { event_type: 'shared', payload: { text: 'hello' } });
    await callService(`${hostAppUrl}/sandbox/miniapp/dials`, { error_rate: 1 }, 'PUT');
    await callService(`${hostAppUrl}/sandbox/connect`, { reference: 'user-mia-0001' });
    await callService(`${hostAppUrl}/sandbox/miniapp/reset`, {});
    const known = (await (await fetch(`${hostAppUrl}/sandbox/playground`)).json()) as { client_id: string; app_id: string };
    ({ client_id: clientId, app_id: appId } = known);
    await until(
      () => manage('deliveries?limit=1'),
      ({ data }) => data[0]?.state === 'delivered',
    );
  }

  /** As a developer would, by curl: the signature is of something else. */
  async function curl(requestId: string): Promise<void> {
    const body = JSON.stringify({ app_id: appId, client_id: clientId, order });
    const headers = ['Content-Type: application/json', `X-Request-Id: ${requestId}`, `X-Client-Id: ${appId}`, 'X-Signature: bm90IHJpZ2h0'];
    const timestamp = `X-Timestamp: ${String(Math.floor(Date.now() / 1000))}`;
    const sent = [...headers, timestamp].flatMap((header) => ['-H', header]);
    const { stdout } = await run('curl', ['-s', `${service.url}/api/v1/orders/create-order-payment/`, ...sent, '--data', body]);
    expect(JSON.parse(stdout)).toMatchObject({ error_code: 'INVALID_SIGNATURE' });
    await until(
      () => manage(`exchanges?request_id=${requestId}`),
      ({ data }) => data.length === 1,
    );
  }

  beforeAll(async () => {
    await seed();
  }, 120_000);

  const open = (viewport: typeof desktop, scheme: 'light' | 'dark' = 'light') => openDashboard({ viewport, scheme });
  const isClean = async (dashboard: DashboardBrowser): Promise<void> => {
    expect(await dashboard.axe()).toEqual([]);
    expect(await dashboard.overflow()).toBe(0);
    expect(dashboard.errors).toEqual([]);
    expect([...dashboard.origins]).toEqual([service.url]);
  };
  const picture = (dashboard: DashboardBrowser, name: string): Promise<unknown> => {
    const folder = process.env['PICTURES'];
    return folder === undefined ? Promise.resolve() : dashboard.page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };

  it.each([
    ['desk', desktop],
    ['phone', phone],
  ])('finds a wrong signature that curl has sent, and explains it in two clicks (%s)', async (name, viewport) => {
    const requestId = `by-hand-${name}`;
    await curl(requestId);
    const dashboard = await open(viewport);
    const { page } = dashboard;
    await dashboard.goTo('/requests?refused_check=signature');
    const row =
      viewport === desktop ? page.getByRole('row', { name: /INVALID_SIGNATURE/ }) : page.getByRole('link', { name: /create order/ });
    await row.first().click();
    await page.getByRole('heading', { level: 1, name: 'create order payment' }).waitFor();
    await page.getByRole('button', { name: 'Explain signature' }).click();
    await page.getByRole('status').filter({ hasText: /./ }).first().waitFor();
    await page.getByText('To be signed').waitFor();
    await page.getByText('Miniapp has to act').waitFor();
    await picture(dashboard, `explained-${name}`);
    await isClean(dashboard);
    await page.close();
  });

  it.each([
    ['desk', desktop, 'light'],
    ['desk-dark', desktop, 'dark'],
    ['phone', phone, 'light'],
    ['phone-dark', phone, 'dark'],
  ] as const)('lists, filters, groups and shows requests (%s)', async (name, viewport, scheme) => {
    const dashboard = await open(viewport, scheme);
    const { page } = dashboard;
    await dashboard.goTo('/requests');
    await page.getByText('complete order').first().waitFor();
    await page.getByRole('heading', { name: 'How long calls took' }).waitFor();
    await picture(dashboard, `requests-${name}`);
    await isClean(dashboard);
    await dashboard.goTo('/requests?group=cause');
    await page.getByRole('cell', { name: 'UNEXPECTED_RESPONSE_ERROR' }).or(page.getByRole('cell').first()).first().waitFor();
    await picture(dashboard, `causes-${name}`);
    await isClean(dashboard);
    await page.getByRole('radio', { name: 'One by one' }).locator('..').click();
    await page.getByText('complete order').first().waitFor();
    await page.close();
  });

  it.each([
    ['desk', desktop],
    ['phone', phone],
  ])('filters by hand, groups by cause, and opens the requests of a cause (%s)', async (name, viewport) => {
    await curl(`by-cause-${name}`);
    const dashboard = await open(viewport);
    const { page } = dashboard;
    await dashboard.goTo('/requests');
    if (viewport === phone) await page.getByRole('button', { name: /^Filters/ }).click();
    const code = page.getByRole('textbox', { name: 'Error code' });
    await code.fill('NO_SUCH_CODE');
    await code.press('Enter');
    await page.waitForURL(/[?&]error_code=NO_SUCH_CODE/);
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).first().click();
    await page.getByText('complete order').first().waitFor();
    await page.getByRole('radio', { name: 'By cause' }).locator('..').click();
    await page.getByRole('region', { name: 'By cause' }).getByRole('link', { name: 'INVALID_SIGNATURE' }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('error_code') === 'INVALID_SIGNATURE' && !searchParams.has('group'));
    await page.getByText('Miniapp has to act').first().waitFor();
    await isClean(dashboard);
    await page.close();
  });

  it.each([
    ['desk', desktop, 'light'],
    ['desk-dark', desktop, 'dark'],
    ['phone', phone, 'light'],
    ['phone-dark', phone, 'dark'],
  ] as const)('shows a payment as a swim-queue with its notice (%s)', async (name, viewport, scheme) => {
    const { data } = await manage('payments?limit=1');
    const dashboard = await open(viewport, scheme);
    const { page } = dashboard;
    await dashboard.goTo(`/requests/payment/${data[0]!.id}`);
    await page.getByText('Nobody has to act').waitFor();
    const line = page.getByRole('button', { name: /Pierhead to Miniapp: completion notice.*200/ }).first();
    await line.click();
    await page.getByText('Host app → Pierhead').or(page.getByText('Pierhead → Miniapp')).first().waitFor();
    await picture(dashboard, `payment-${name}`);
    await isClean(dashboard);
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
    await page.getByText('It is sent again').waitFor();
    await page.close();
  });

  it.each([
    ['desk', desktop],
    ['phone', phone],
  ])('copies a call as curl, shows it raw, shares evidence and revokes it (%s)', async (name, viewport) => {
    await curl(`shared-${name}`);
    const { data } = await manage(`exchanges?request_id=shared-${name}`);
    const dashboard = await open(viewport);
    const { page } = dashboard;
    await dashboard.goTo(`/requests/${data[0]!.id}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.getByRole('button', { name: 'Show raw request' }).click();
    await page.getByRole('region', { name: 'request', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Share evidence' }).click();
    await page.getByRole('button', { name: 'Make the link' }).click();
    const link = page.getByRole('textbox', { name: 'Link' });
    await link.waitFor();
    const url = await link.inputValue();
    await picture(dashboard, `shared-${name}`);
    expect(await dashboard.axe()).toEqual([]);
    for (const scheme of ['light', 'dark'] as const) {
      const stranger = await newPage({ viewport, colorScheme: scheme });
      await stranger.goto(url);
      await stranger.getByText('The miniapp has to act.').waitFor();
      if (process.env['PICTURES'])
        await stranger.screenshot({ path: `${process.env['PICTURES']}/evidence-${name}-${scheme}.png`, fullPage: true });
      expect(await stranger.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
      await stranger.close();
    }
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('revoked').first().waitFor();
    expect((await fetch(url)).status).toBe(404);
    await isClean(dashboard);
    await page.close();
  });
});
