import type { Page } from 'playwright-core';
import { type DashboardBrowser } from '../../support/dashboard/dashboard-browser';
import { seedPartners, type SeededPartners } from '../../support/dashboard/dashboard-credentials';
import { until } from '../../support/service/service';
import { inBrowser } from '../../support/dashboard/in-browser';

/** More presses of Tab than any screen has places for. */
const maxTabs = 120;

describe('the dashboard with the keyboard alone', () => {
  const { service, openDashboard } = inBrowser();
  let seeded: SeededPartners;
  beforeAll(async () => {
    seeded = await seedPartners(service);
    await until(
      () => seeded.manage('GET', 'exchanges?refused_check=signature'),
      ({ data }) => (data as unknown[]).length > 0,
      15_000,
    );
  }, 120_000);

  /** What has the focus, as it is called, and whether it lies in a dialog. */
  const focused = (page: Page) =>
    page.evaluate<{ name: string; isInDialog: boolean }>(`(() => {
      const at = document.activeElement;
      const name = at === document.body ? '' : (at.getAttribute('aria-label') ?? at.textContent ?? '');
      return { name: name.trim(), isInDialog: at.closest('[role=dialog]') !== null };
    })()`);
  const tabTo = async (page: Page, name: RegExp): Promise<void> => {
    for (let i = 0; i < maxTabs; i++) {
      if (name.test((await focused(page)).name)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not come to ${String(name)}; it is at ${JSON.stringify(await focused(page))}`);
  };
  const press = async (page: Page, name: RegExp): Promise<void> => {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  };
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

  const signedIn = async (): Promise<DashboardBrowser> => {
    const dashboard = await openDashboard();
    const { url } = (await seeded.manage('POST', 'operator-links')) as { url: string };
    await dashboard.page.goto(url);
    await heading(dashboard.page, 'Sign in');
    await press(dashboard.page, /^Sign in$/);
    await heading(dashboard.page, 'Overview');
    return dashboard;
  };

  it('goes from the sign-in to a refused request, to its explanation and back', async () => {
    const { page, errors } = await signedIn();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await heading(page, 'Requests');
    await page.getByRole('cell', { name: 'INVALID_SIGNATURE' }).first().waitFor();
    const refused = page.getByRole('row').filter({ hasText: 'INVALID_SIGNATURE' });
    for (let i = 0; i < maxTabs && (await refused.and(page.locator('[data-active]')).count()) === 0; i++) await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading(page, 'create order payment');
    await press(page, /^Skip to the screen$/);
    await press(page, /^Explain signature$/);
    await page.getByText('To be signed').waitFor();
    await press(page, /^Skip to the screen$/);
    await page.keyboard.press('Tab');
    expect((await focused(page)).name).toBe('Requests');
    await page.keyboard.press('Enter');
    await heading(page, 'Requests');
    await page.getByRole('cell', { name: 'INVALID_SIGNATURE' }).first().waitFor();
    expect(errors).toEqual([]);
    await page.close();
  }, 90_000);

  it('rotates a secret: the dialog holds the focus, and gives it back', async () => {
    const { page, errors } = await signedIn();
    await page.goto(`${service.url}/dashboard/credentials?partner=host-app:${seeded.clientId}`);
    await page.getByRole('heading', { name: 'Rotate or change' }).waitFor();
    const dialog = page.getByRole('dialog');
    await press(page, /^Basic/);
    await dialog.getByRole('button', { name: 'Make the next key' }).waitFor();
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab');
      expect((await focused(page)).isInDialog).toBe(true);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect((await focused(page)).name).toMatch(/^Basic/);
    await page.keyboard.press('Enter');
    await press(page, /^Make the next key$/);
    await dialog.getByText('The new secret key, shown once').waitFor();
    await press(page, /^Promote now$/);
    await dialog.getByText('What Blue Harbour must do now').waitFor();
    await press(page, /^Finish$/);
    await dialog.waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
    await page.close();
  }, 90_000);
});
