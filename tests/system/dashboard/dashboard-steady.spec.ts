import { SandboxTraffic } from '../../support/dashboard/seeded-dashboard';
import { inBrowser } from '../../support/dashboard/in-browser';

const { service, openDashboard } = inBrowser();
beforeAll(async () => {
  const traffic = new SandboxTraffic(service);
  await traffic.signOn('user-mia-0001');
  await traffic.pay(await traffic.open('10.00'));
}, 90_000);

describe('a list below charts', () => {
  it.each([
    ['/payments', 'Payments', 'Payment funnel'],
    ['/deliveries', 'Deliveries', 'First-try success'],
    ['/requests', 'Requests', 'How calls ended'],
  ])(
    '%s does not move under a hand when its figures come after its rows',
    async (path, list, chart) => {
      const dashboard = await openDashboard();
      const { page } = dashboard;
      let letThrough: () => void = () => undefined;
      const isLetThrough = new Promise<void>((resolve) => (letThrough = resolve));
      await page.route('**/manage/v1/figures/**', async (route) => {
        await isLetThrough;
        await route.continue();
      });
      await dashboard.goTo(path);
      const row = page.getByRole('region', { name: list, exact: true }).locator('tbody tr').first();
      await row.waitFor();
      const top = async (): Promise<number | undefined> => (await row.boundingBox())?.y;
      const before = await top();
      letThrough();
      const charts = page.getByRole('group', { name: /, chart; the same is there as a table$/ });
      await charts.and(page.getByRole('group', { name: new RegExp(`^${chart}`) })).waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      expect(await top()).toBe(before);
      await page.close();
    },
    60_000,
  );
});
