import type { Request, Route } from 'playwright-core';
import { type DashboardBrowser, desktop, phone } from '../../support/dashboard/dashboard-browser';
import { inBrowser } from '../../support/dashboard/in-browser';

const password = 'a quiet harbour at dawn';

const { service, openDashboard } = inBrowser();

const appearances = [
  { viewport: desktop, scheme: 'light' },
  { viewport: phone, scheme: 'light' },
  { viewport: desktop, scheme: 'dark' },
  { viewport: phone, scheme: 'dark' },
] as const;

const shots = process.env['ACCESS_SHOTS'];

describe.each(appearances)('at $viewport.width in $scheme', (appearance) => {
  const opened: DashboardBrowser[] = [];
  const open = async (): Promise<DashboardBrowser> => {
    const dashboard = await openDashboard(appearance);
    opened.push(dashboard);
    return dashboard;
  };
  const check = async (dashboard: DashboardBrowser, name: string): Promise<void> => {
    const path = `${String(shots)}/${name}-${String(appearance.viewport.width)}-${appearance.scheme}.png`;
    if (shots !== undefined) await dashboard.page.screenshot({ path });
    expect([name, await dashboard.axe(), await dashboard.overflow()]).toEqual([name, [], 0]);
  };

  it('invites a partner, who signs in and out and is disabled', async () => {
    const name = `Mara ${String(appearance.viewport.width)} ${appearance.scheme}`;
    const email = `mara-${String(appearance.viewport.width)}-${appearance.scheme}@example.com`;
    const operator = await open();
    await check(await signInByLink(operator), 'overview');

    await operator.goTo('/accounts');
    const { page } = operator;
    await page.getByRole('button', { name: 'Invite' }).first().click();
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('combobox', { name: 'Host app' }).click();
    await page.getByRole('option', { name: /host_sandbox/ }).click();
    await check(operator, 'invite');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const link = (await page.getByRole('region', { name: 'link' }).textContent()) ?? '';
    expect(link).toContain('/dashboard/set-password#');
    await check(operator, 'link');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText(email).filter({ visible: true }).first().waitFor();
    await check(operator, 'accounts');

    const partner = await open();
    await partner.page.goto(link);
    await partner.page.getByRole('textbox', { name: 'New password', exact: true }).fill(password);
    await partner.page.getByRole('textbox', { name: 'New password again' }).fill(password);
    await check(partner, 'set-password');
    await partner.page.getByRole('button', { name: 'Set the password and sign in' }).click();
    await partner.page.getByRole('navigation', { name: 'Screens', includeHidden: true }).waitFor({ state: 'attached' });
    expect(await partner.page.getByRole('link', { name: 'Accounts', includeHidden: true }).count()).toBe(0);

    await partner.page.getByRole('button', { name: /^Account: / }).click();
    await partner.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await partner.page.getByRole('textbox', { name: 'Email' }).fill(email);
    await partner.page.getByRole('textbox', { name: 'Password' }).fill('not the password');
    await partner.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await partner.page.getByRole('alert').waitFor();
    await check(partner, 'sign-in-refused');
    await partner.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await partner.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await partner.page.getByRole('button', { name: /^Account: / }).click();
    await partner.page.getByRole('menuitem', { name: 'Account and sessions' }).click();
    await partner.page.getByText('This one').waitFor();
    await check(partner, 'own-account');

    await page
      .getByRole('button', { name: `What to do with ${name}` })
      .filter({ visible: true })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled').filter({ visible: true }).first().waitFor();
    await partner.page.goto(`${service.url}/dashboard/`);
    await partner.page.getByRole('heading', { name: 'Sign in' }).waitFor();

    await page.getByRole('button', { name: 'View as' }).click();
    await page.getByRole('menuitem').first().click();
    await page.getByText('Nothing can be changed').waitFor();
    await check(operator, 'view-as');
    await page.getByRole('button', { name: 'Back to operator' }).click();
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
    for (const one of opened) {
      expect(one.errors).toEqual([]);
      expect([...one.origins]).toEqual([service.url]);
    }
  }, 120_000);
});

it('cancels pending requests at sign-out, so that the next user sees no late refusal', async () => {
  const dashboard = await openDashboard();
  const { page } = dashboard;
  const held: Route[] = [];
  const over: Promise<unknown>[] = [];
  await page.route('**/manage/v1/figures/**', (route) => {
    held.push(route);
    const isIt = (request: Request): boolean => request === route.request();
    over.push(Promise.race([page.waitForEvent('requestfinished', isIt), page.waitForEvent('requestfailed', isIt)]));
  });
  await dashboard.goTo('/');
  await page.route('**/manage/v1/session', async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue();
    const response = await route.fetch();
    // The session is over for the service, and the page has not heard yet: now all that it asked before is refused.
    await Promise.all(held.map((one) => one.continue().catch(() => undefined)));
    await Promise.all(over);
    return route.fulfill({ response });
  });
  const requests: string[] = [];
  page.on('request', (request) => void requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await Promise.all(over);
  // Parts that are still drawn for a moment send no request for a session that is over.
  const afterwards = requests.slice(requests.indexOf('DELETE /manage/v1/session') + 1);
  expect(afterwards.filter((path) => path.includes('/manage/'))).toEqual([]);
  expect(held.length).toBeGreaterThan(0);
  await page.unrouteAll({ behavior: 'wait' });
  await dashboard.goTo('/');
  expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);
  expect(dashboard.errors).toEqual([]);
}, 60_000);

/** As a person does who was given the link. */
async function signInByLink(dashboard: DashboardBrowser): Promise<DashboardBrowser> {
  const headers = { Authorization: `Bearer ${service.operatorToken}` };
  const made = await fetch(`${service.url}/manage/v1/operator-links`, { method: 'POST', headers });
  await dashboard.page.goto(((await made.json()) as { url: string }).url);
  await dashboard.page.getByRole('button', { name: 'Sign in' }).click();
  await dashboard.page.getByRole('navigation', { name: 'Screens', includeHidden: true }).waitFor({ state: 'attached' });
  await dashboard.page.locator('h1').first().waitFor();
  return dashboard;
}
