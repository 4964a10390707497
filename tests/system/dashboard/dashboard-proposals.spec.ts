import { type DashboardBrowser, desktop, phone } from '../../support/dashboard/dashboard-browser';
import { inBrowser } from '../../support/dashboard/in-browser';

const pictures = process.env['PICTURES'];

const { service, openDashboard } = inBrowser();

const make = async (path: string, body: object): Promise<void> => {
  const headers = { Authorization: `Bearer ${service.operatorToken}`, 'Content-Type': 'application/json' };
  const made = await fetch(`${service.url}/manage/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(made.status).toBe(201);
};

describe.each([
  ['desk', desktop, 'light', 'dark'],
  ['phone', phone, 'dark', 'light'],
] as const)('partners agree between themselves, at the %s', (width, viewport, scheme, other) => {
  const [clientId, appId] = [`host_${width}`, `app_${width}`];
  const opened: DashboardBrowser[] = [];
  const open = async (appearance: 'light' | 'dark', path: string, as?: Parameters<DashboardBrowser['signInAs']>[0]) => {
    const at = await openDashboard({ viewport, scheme: appearance });
    at.page.setDefaultTimeout(15_000);
    opened.push(at);
    if (as) await at.signInAs(as);
    await at.goTo(path);
    return at;
  };
  const check = async (at: DashboardBrowser, name: string): Promise<void> => {
    if (pictures !== undefined) await at.page.screenshot({ path: `${pictures}/proposals-${name}-${width}.png`, fullPage: true });
    expect([name, await at.axe(), await at.overflow()]).toEqual([name, [], 0]);
  };
  const confirm = ({ page }: DashboardBrowser, action: string) => page.getByRole('dialog').getByRole('button', { name: action }).click();
  const proposalAt = ({ page }: DashboardBrowser) => page.getByRole('article', { name: `Proposal of ${clientId} and ${appId}` });
  const act = async (at: DashboardBrowser, action: string): Promise<void> => {
    await proposalAt(at)
      .getByRole('button', { name: `${action} ${clientId} and ${appId}` })
      .click();
    await confirm(at, action);
  };

  let host: DashboardBrowser;
  let mini: DashboardBrowser;
  beforeAll(async () => {
    await make('host-apps', { client_id: clientId, name: `Blue Harbour ${width}`, features: { sso: true, payments: true } });
    await make('miniapps', { app_id: appId, name: `Ferry tickets ${width}`, features: { sso: true } });
    host = await open(scheme, '/integrations', { role: 'host-app', client_id: clientId });
    mini = await open(other, '/integrations', { role: 'miniapp', app_id: appId });
  }, 60_000);
  afterAll(async () => {
    for (const at of opened) {
      // The browser logs intended refusals, too.
      expect(at.errors.filter((text) => !/ 40[49] /.test(text))).toEqual([]);
      expect([...at.origins]).toEqual([service.url]);
      await at.page.close();
    }
  });

  it('says what to do without an integration, and that an unknown miniapp takes no proposals', async () => {
    await host.page.getByText('No integration yet').waitFor();
    await host.page.getByText(/give it your Client ID/).waitFor();
    await check(host, 'none');
    await host.page.getByRole('button', { name: 'Propose integration' }).first().click();
    const dialog = host.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'App ID of the miniapp' }).fill('app_nobody');
    await dialog.getByRole('button', { name: 'Propose' }).click();
    await dialog.getByText('No miniapp with this app_id takes proposals').waitFor();
    await check(host, 'unknown');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  }, 60_000);

  it('proposes, is declined, and is accepted after all, visible to the other side at once', async () => {
    await host.page.getByRole('button', { name: 'Propose integration' }).first().click();
    const dialog = host.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'App ID of the miniapp' }).fill(appId);
    await dialog.getByRole('checkbox', { name: 'Payments' }).uncheck();
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Ferries for our riders, as agreed with Mara.\nFrom the first of the month.');
    await dialog.getByRole('button', { name: 'Propose' }).click();
    await proposalAt(host).getByText('waits for the miniapp').waitFor();
    expect(await proposalAt(host).textContent()).not.toContain('Ferry tickets');
    await proposalAt(mini).getByText('waits for you').waitFor();
    await proposalAt(mini).getByText(`Blue Harbour ${width} proposes an integration`).waitFor();
    await check(host, 'outgoing');
    await check(mini, 'incoming');

    await proposalAt(mini).getByRole('link').click();
    await mini.page.getByText('Ferries for our riders').waitFor();
    await mini.page.getByText('The host app has proposed it: the miniapp has to accept.').waitFor();
    await check(mini, 'detail');
    await mini.page.goBack();

    await act(mini, 'Decline');
    await proposalAt(host).getByText('declined').waitFor();
    expect(await proposalAt(host).getByRole('button').count()).toBe(0);
    await check(host, 'declined');
    await act(mini, 'Accept');
    const card = host.page.getByRole('article', { name: `${clientId} and ${appId}`, exact: true });
    await card.getByText('accepted').waitFor();
    await card.getByText(`Ferry tickets ${width}`).first().waitFor();
    await host.page.getByText('None waits for an answer.').waitFor();
    await check(host, 'accepted');
  }, 90_000);

  it('withdraws on the page of the proposal', async () => {
    await make('host-apps', { client_id: `${clientId}_2`, name: 'Green Harbour' });
    await mini.page.getByRole('button', { name: 'Propose integration' }).first().click();
    const dialog = mini.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Client ID of the host app' }).fill(`${clientId}_2`);
    await dialog.getByRole('button', { name: 'Propose' }).click();
    await mini.page
      .getByRole('article', { name: `Proposal of ${clientId}_2 and ${appId}` })
      .getByRole('link')
      .click();
    await mini.page.getByRole('button', { name: /^Withdraw / }).click();
    await confirm(mini, 'Withdraw');
    await mini.page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
    await mini.page.getByText('None waits for an answer.').waitFor();

    const takes = mini.page.getByRole('switch', { name: 'Take proposals' });
    await takes.click();
    await mini.page.getByText('Nobody can propose to you').waitFor();
    expect(await takes.isChecked()).toBe(false);
    await check(mini, 'nobody');
  }, 60_000);

  it('lets the operator see and decide what partners propose', async () => {
    const proposer = await open(other, '/integrations', { role: 'host-app', client_id: `${clientId}_2` });
    await make('miniapps', { app_id: `${appId}_2`, name: 'Tram tickets' });
    await proposer.page.getByRole('button', { name: 'Propose integration' }).first().click();
    const dialog = proposer.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'App ID of the miniapp' }).fill(`${appId}_2`);
    await dialog.getByRole('button', { name: 'Propose' }).click();
    const operator = await open(scheme, '/integrations');
    const row = operator.page.getByRole('article', { name: `Proposal of ${clientId}_2 and ${appId}_2` });
    await row.getByText('Green Harbour proposes to Tram tickets').waitFor();
    await check(operator, 'operator');
    await row.getByRole('button', { name: /^Decline / }).click();
    await confirm(operator, 'Decline');
    await row.getByText('declined').waitFor();
    await row.getByRole('button', { name: /^Withdraw / }).click();
    await confirm(operator, 'Withdraw');
    await row.waitFor({ state: 'detached' });
    await proposer.page.getByText('No integration yet').waitFor();
  }, 60_000);
});
