import { type DashboardBrowser, desktop, phone } from '../../support/dashboard/dashboard-browser';
import { SandboxTraffic } from '../../support/dashboard/seeded-dashboard';
import { inBrowser } from '../../support/dashboard/in-browser';

const { service, openDashboard } = inBrowser();
let traffic: SandboxTraffic;
beforeAll(async () => {
  traffic = new SandboxTraffic(service);
}, 90_000);

const until = async <T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> => {
  for (const end = Date.now() + 20_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > end) throw new Error(`It did not come to be so: ${JSON.stringify(value)}`);
  }
};
const paid = async (amount: string) => {
  const orderPaymentId = await traffic.open(amount);
  await traffic.pay(orderPaymentId);
  return until(
    () => traffic.payment(orderPaymentId),
    ({ notice }) => notice !== undefined,
  );
};

describe.each([
  ['a desk', desktop, 'light'],
  ['a phone', phone, 'dark'],
] as const)('payments, deliveries and users on %s', (_name, viewport, scheme) => {
  let dashboard: DashboardBrowser;
  beforeAll(async () => {
    await traffic.miniappFails(0);
    dashboard = await openDashboard({ viewport, scheme });
  }, 30_000);
  afterAll(async () => {
    expect(dashboard.errors).toEqual([]);
    expect([...dashboard.origins]).toEqual([service.url]);
    await dashboard.page.close();
  });
  const showsText = (text: string | RegExp) => dashboard.page.getByText(text).first().waitFor();
  const isClean = async () => expect([await dashboard.axe(), await dashboard.overflow()]).toEqual([[], 0]);
  const button = (name: string | RegExp) => dashboard.page.getByRole('button', { name });
  const confirm = async (action: string, reason?: string) => {
    const dialog = dashboard.page.getByRole('dialog');
    if (reason !== undefined) await dialog.getByRole('textbox', { name: /^Reason/ }).fill(reason);
    await dialog.getByRole('button', { name: action, exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
  };

  /** Counted first, then so many a second. */
  const recover = async (item: string) => {
    await button('Send again').click();
    await dashboard.page.getByRole('menuitem', { name: item }).click();
    const dialog = dashboard.page.getByRole('dialog');
    await dialog.getByText(/^\d+ deliver(y|ies), about |^Nothing matches/).waitFor();
    await dialog.getByRole('textbox', { name: 'Deliveries a second' }).fill('5');
    await dialog.getByRole('button', { name: /^Send \d+ again$/ }).click();
    await dialog.waitFor({ state: 'hidden' });
  };

  it('lists payments with their charts, polls the host app and saves the list', async () => {
    const { id } = await paid('10.00');
    await traffic.open('8.02');
    await dashboard.goTo('/payments');
    await showsText('Payment funnel');
    await button(`Actions of payment ${id}`).click();
    await dashboard.page.getByRole('menuitem', { name: 'Ask status now' }).click();
    await showsText('The host app answers: paid');
    await button(`Actions of payment ${id}`).click();
    await dashboard.page.getByRole('menuitem', { name: 'Resend completion' }).click();
    await showsText('The completion is on its way again');
    await button('Payment funnel: show as a table').click();
    await showsText('Host app accepted');
    await button('Payment funnel: show as a chart').click();
    await button(/^Result known/).click();
    await dashboard.page.waitForURL(/[?&]settled=yes/);
    await showsText('10.00');
    const [file] = await Promise.all([dashboard.page.waitForEvent('download'), button('Save as CSV').click()]);
    expect(file.suggestedFilename()).toBe('payments.csv');
    await isClean();
  }, 60_000);

  it('shows a payment in conflict side by side, and marks it as resolved', async () => {
    const { id } = await paid('7.07');
    await until(
      async () => (await traffic.manage<{ open_conflicts: number }>('GET', `payments/${id}`)).open_conflicts,
      (count) => count > 0,
    );
    await dashboard.goTo(`/payments/${id}`);
    await showsText('Reports that disagree');
    await dashboard.page.getByRole('region', { name: 'Notice to the miniapp' }).getByRole('cell', { name: 'received' }).first().waitFor();
    await isClean();
    await button('Mark resolved').click();
    await confirm('Mark resolved', 'refunded at the host app');
    await showsText('refunded at the host app');
    await button('Resend completion').click();
    await showsText('The completion is on its way again');
    await button('Ask status now').click();
    await showsText(/^The host app answers: /);
  }, 60_000);

  it('pauses an endpoint, gives a delivery up, sends it again, and resumes', async () => {
    await dashboard.goTo('/deliveries');
    await showsText('First-try success');
    await button('Pause an endpoint').click();
    await confirm('Pause', 'they release tonight');
    await showsText('they release tonight');
    const { id } = await paid('12.50');
    await isClean();
    await dashboard.goTo(`/deliveries/${id}`);
    await showsText('Nothing was attempted yet.');
    await button('Abort').click();
    await confirm('Abort', 'not needed');
    await showsText('aborted');
    await isClean();
    await dashboard.goTo('/deliveries');
    await recover('Recover failed since…');
    const batches = dashboard.page.getByRole('list', { name: 'Batches' });
    await batches.getByRole('button', { name: 'Cancel batch' }).first().click();
    await batches.getByText('cancelled', { exact: true }).first().waitFor();
    await dashboard.goTo(`/deliveries/${id}`);
    await button('Resend now').click();
    await until(
      async () => (await traffic.manage<{ state: string }>('GET', `deliveries/${id}`)).state,
      (state) => state === 'delivered',
    );
    await dashboard.goTo('/deliveries');
    await button('Resume').click();
    await showsText('All endpoints are well, and nothing waits.');
    await button(`Resend ${id}`).click();
    await showsText('It is on its way again');
  }, 60_000);

  it('shows the attempts of a failing delivery, and resends many after showing their count', async () => {
    await traffic.miniappFails(100);
    const { id } = await paid('31.00');
    await until(
      async () => (await traffic.manage<{ attempt_count: number }>('GET', `deliveries/${id}`)).attempt_count,
      (count) => count > 0,
    );
    await dashboard.goTo(`/deliveries/${id}`);
    await dashboard.page.getByRole('img', { name: /^Attempt 1: 500/ }).waitFor();
    await dashboard.page
      .getByRole('img', { name: /^Planned/ })
      .first()
      .waitFor();
    await isClean();
    await traffic.manage('POST', `deliveries/${id}/abort`, { reason: 'for the batch' });
    await dashboard.goTo('/deliveries');
    for (const item of ['Recover failed since…', 'Replay missing since…']) await recover(item);
    await dashboard.page
      .getByRole('list', { name: 'Batches' })
      .getByText(/ 5 a second/)
      .first()
      .waitFor();
    await traffic.miniappFails(0);
  }, 90_000);

  it('finds a user by the whole reference, saves the stored data, and erases it', async () => {
    await traffic.signOn('user-mia-0001');
    await traffic.authorize('user-omar-0002');
    await dashboard.goTo('/users');
    await showsText('us****01');
    await isClean();
    await dashboard.goTo('/users?reference=user-omar-0002');
    await showsText('us****02');
    await button('Actions of user us****02').click();
    await dashboard.page.getByRole('menuitem', { name: 'Revoke tokens' }).click();
    await confirm('Revoke tokens');
    await showsText('The tokens are forgotten: the user signs on anew');
    await button('Actions of user us****02').click();
    const [file] = await Promise.all([
      dashboard.page.waitForEvent('download'),
      dashboard.page.getByRole('menuitem', { name: 'Export what is stored (JSON)' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^user-[0-9a-f]{8}\.json$/);
    await button('Actions of user us****02').click();
    await dashboard.page.getByRole('menuitem', { name: 'Erase user' }).click();
    await confirm('Erase user');
    await showsText('Nothing found');
  }, 60_000);
});
