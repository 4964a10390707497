import { desktop, phone } from '../../support/dashboard/dashboard-browser';
import { inBrowser } from '../../support/dashboard/in-browser';

describe('the frame of the dashboard in a browser', () => {
  const { service, openDashboard } = inBrowser();

  /** A call of the sandbox's host app that is refused: its secret is another one. */
  const refusedCall = async (requestId: string): Promise<void> => {
    const authorization = `Basic ${Buffer.from('host_sandbox00001:wrong').toString('base64')}`;
    const body = JSON.stringify({ client_id: 'host_sandbox00001', app_id: 'app_ferrys', user_data: {} });
    const headers = { authorization, 'content-type': 'application/json', 'x-request-id': requestId };
    await fetch(`${service.url}/api/v1/connect/`, { method: 'POST', headers, body });
  };

  it('redirects browsers from the root, and answers every path below with the page', async () => {
    const at = (path: string, accept = 'text/html') => fetch(`${service.url}${path}`, { headers: { accept }, redirect: 'manual' });
    const top = await at('/');
    expect([top.status, top.headers.get('location')]).toEqual([302, '/dashboard/']);
    expect((await at('/', 'application/json')).status).toBe(404);
    const page = await at('/dashboard/payments/some-id');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('content-security-policy')).not.toMatch(/unsafe-eval|script-src[^;]*unsafe/);
    const text = await page.text();
    const script = /src="(\/dashboard\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? '';
    expect((await at(script, '*/*')).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await at('/dashboard/assets/none.js', '*/*')).status).toBe(404);
  });

  it('signs in with the way back, and out again', async () => {
    const dashboard = await openDashboard();
    const { page } = dashboard;
    await dashboard.goTo('/audit?range=1h');
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    expect(new URL(page.url()).search).toBe('?range=1h');
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: /sign in/i }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/sign-in');
    expect(dashboard.errors).toEqual([]);
    expect([...dashboard.origins]).toEqual([service.url]);
    await page.close();
  });

  it('shows the sign-in when the session ends elsewhere, and sends no more requests', async () => {
    const dashboard = await openDashboard();
    const { page } = dashboard;
    const listens = () => page.waitForRequest((request) => request.url().endsWith('/manage/v1/live'));
    await Promise.all([listens(), dashboard.goTo('/audit')]);
    const paths: string[] = [];
    page.on('request', (request) => void paths.push(new URL(request.url()).pathname));
    const signOutElsewhere = `fetch('/manage/v1/session').then((known) => known.json()).then(({ csrf_token: csrf }) =>
      fetch('/manage/v1/session', { method: 'DELETE', headers: { 'X-CSRF-Token': csrf } })).then(({ status }) => status)`;
    expect(await page.evaluate(signOutElsewhere)).toBe(204);
    await page.getByRole('heading', { level: 1, name: /sign in/i }).waitFor();
    const { errors } = dashboard;
    const known = paths.filter((path) => path.startsWith('/manage/'));
    expect([new Set(known), errors]).toEqual([new Set(['/manage/v1/session']), []]);
    await Promise.all([listens(), dashboard.goTo('/audit')]);
    await page.close();
  });

  it('keeps the time range in the URL and takes it along', async () => {
    const dashboard = await openDashboard();
    const { page } = dashboard;
    await dashboard.goTo('/audit');
    await page.getByRole('button', { name: /Time range:/ }).click();
    await page.getByRole('menuitem', { name: 'Last 7 days' }).click();
    await page.waitForURL(/range=7d/);
    // The URL changes before the page shows the new range, and the links take it only then.
    await page.getByRole('button', { name: 'Time range: Last 7 days' }).waitFor();
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.waitForURL(/requests\?range=7d/);
    await page.getByRole('button', { name: /Time range:/ }).click();
    await page.getByRole('menuitem', { name: 'Custom …' }).click();
    await page.getByRole('textbox', { name: /^From \(/ }).fill('2026-01-02T03:04');
    await page.getByRole('textbox', { name: /^To \(/ }).fill('2026-01-01T03:04');
    await page.getByText('Must be after the beginning').waitFor();
    await page.getByRole('textbox', { name: /^To \(/ }).fill('2026-01-02T05:04');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(/from=2026-01-02T03%3A04/);
    await page.getByText('UTC', { exact: true }).click();
    expect(await page.evaluate('localStorage.getItem("pierhead.zone")')).toBe('"utc"');
    expect(dashboard.errors).toEqual([]);
    await page.close();
  });

  it('works with the keyboard: screens by g and a letter, search by /, help by ?', async () => {
    const dashboard = await openDashboard();
    const { page } = dashboard;
    await refusedCall('frame-search-1');
    await dashboard.goTo('/');
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Next row of a list').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    const search = page.getByRole('dialog', { name: 'Search' });
    await search.getByRole('textbox').fill('frame-search-1');
    await page.keyboard.press('Enter');
    await search.getByRole('button', { name: /^Request/ }).click();
    await page.waitForURL(/dashboard\/requests\/[^?]+/);
    await page.keyboard.press('/');
    await search.getByRole('textbox').fill('no such id');
    await page.keyboard.press('Enter');
    await search.getByText('Nothing has the id').waitFor();
    expect(dashboard.errors).toEqual([]);
    await page.close();
  });

  it('counts new rows as they come, and shows them on request', async () => {
    const dashboard = await openDashboard();
    const { page } = dashboard;
    const live = page.waitForResponse((response) => response.url().endsWith('/manage/v1/live'));
    await dashboard.goTo('/requests?range=1h');
    await live;
    await page.getByText('frame-search-1').or(page.getByRole('row')).first().waitFor();
    // The first reading of the service only learns the existing rows.
    const fresh = page.getByRole('button', { name: /^\d+ new$/ });
    for (let i = 0; i < 20 && !(await fresh.isVisible()); i++) {
      await refusedCall(`frame-live-${String(i)}`);
      await fresh.waitFor({ timeout: 1500 }).catch(() => undefined);
    }
    await fresh.click();
    await fresh.waitFor({ state: 'detached' });
    expect(dashboard.errors).toEqual([]);
    await page.close();
  });

  it('moves through rows by j and k, opens by enter, and saves all filtered rows', async () => {
    for (const id of ['frame-row-1', 'frame-row-2']) await refusedCall(id);
    const dashboard = await openDashboard();
    const { page } = dashboard;
    await dashboard.goTo('/requests?range=1h');
    await page.getByRole('region', { name: 'Requests' }).locator('tbody tr').nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.locator('tbody tr:first-child[data-active]').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    expect((await saved).suggestedFilename()).toBe('requests.csv');
    await page.keyboard.press('Escape');
    await page.locator('main').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/dashboard\/requests\/[^?]+/);
    expect(dashboard.errors).toEqual([]);
    await page.close();
  });

  it('keeps columns and views as they were chosen', async () => {
    const dashboard = await openDashboard();
    const { page } = dashboard;
    await dashboard.goTo('/requests?range=1h&client_id=host_sandbox00001');
    const heads = page.getByRole('columnheader');
    await heads.first().waitFor();
    const before = await heads.count();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox').first().click();
    await page.keyboard.press('Escape');
    expect(await heads.count()).toBe(before - 1);
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view …' }).click();
    await page.getByLabel('Name').fill('Ours');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.waitForURL((url) => !url.search.includes('client_id'));
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('menuitem', { name: 'Ours', exact: true }).click();
    await page.waitForURL(/client_id=host_sandbox00001/);
    expect(dashboard.errors).toEqual([]);
    await page.close();
  });

  it('says that a page does not exist, and shows the request id of a failed call', async () => {
    const dashboard = await openDashboard();
    const { page } = dashboard;
    await dashboard.goTo('/audit');
    await page.route('**/manage/v1/exchanges?*', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: '{"title":"The service failed","request_id":"req-of-the-failure"}',
      }),
    );
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByText('req-of-the-failure').first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    await page.evaluate('history.pushState({}, "", "/dashboard/nowhere"); dispatchEvent(new PopStateEvent("popstate"))');
    await page.getByText('There is no such page').waitFor();
    await page.close();
  });

  it.each([
    ['light', desktop],
    ['dark', desktop],
    ['light', phone],
    ['dark', phone],
  ] as const)('passes axe in %s at %o, nothing scrolls sideways', async (scheme, viewport) => {
    const dashboard = await openDashboard({ scheme, viewport });
    const { page } = dashboard;
    await dashboard.goTo('/audit');
    expect(await dashboard.axe()).toEqual([]);
    expect(await dashboard.overflow()).toBe(0);
    if (viewport === phone) {
      await page.getByRole('button', { name: 'Open the navigation' }).click();
      await page.getByRole('link', { name: 'Payments' }).waitFor();
      expect(await dashboard.axe()).toEqual([]);
      await page.getByRole('link', { name: 'Payments' }).click();
      await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    }
    await page.getByRole('button', { name: 'Search for an id' }).first().click();
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    expect(await dashboard.axe()).toEqual([]);
    expect(await dashboard.overflow()).toBe(0);
    expect(dashboard.errors).toEqual([]);
    await page.close();
  });
});
