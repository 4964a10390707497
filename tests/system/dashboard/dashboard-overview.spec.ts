import { type DashboardBrowser, desktop, phone } from '../../support/dashboard/dashboard-browser';
import { until } from '../../support/service/service';
import { inBrowser } from '../../support/dashboard/in-browser';

const pictures = process.env['PICTURES'];

describe('overview, integrations and one integration in a browser', () => {
  const { service, openDashboard } = inBrowser();
  let pair: { readonly client_id: string; readonly app_id: string };

  const manage = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${service.operatorToken}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${service.url}/manage/v1/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return JSON.parse((await response.text()) || 'null') as Answer;
  };

  beforeAll(async () => {
    const { data } = await manage<{ data: (typeof pair)[] }>('GET', 'integrations');
    pair = data.find(({ app_id }) => app_id.startsWith('app_sand'))!;
    await manage('POST', 'sandbox/demo');
    await until(
      () => manage<{ state: string }>('GET', 'sandbox/demo'),
      ({ state }) => state !== 'running',
      60_000,
    );
    // What the host app sends without its credentials is refused.
    const body = JSON.stringify({ client_id: pair.client_id, app_id: pair.app_id });
    const call = (): Promise<Response> =>
      fetch(`${service.url}/api/v1/connect/`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    for (let i = 0; i < 3; i++) await call();
    await until(
      () => manage<{ data: unknown[] }>('GET', 'problems'),
      ({ data }) => data.length > 0,
      10_000,
    );
  }, 180_000);

  const shot = async (at: DashboardBrowser, name: string): Promise<void> => {
    if (pictures !== undefined) await at.page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  };

  const settled = async (at: DashboardBrowser): Promise<void> => {
    await until(
      () => at.page.getByLabel('Loading').count(),
      (count) => count === 0,
      20_000,
    );
  };

  describe.each([
    ['desk', desktop],
    ['phone', phone],
  ] as const)('at the %s', (width, viewport) => {
    const isClean = async (at: DashboardBrowser): Promise<void> => {
      expect(await at.axe()).toEqual([]);
      expect(await at.overflow()).toBe(0);
      expect(at.errors).toEqual([]);
      expect([...at.origins]).toEqual([service.url]);
      await at.page.close();
    };

    it.each(['light', 'dark'] as const)(
      'shows each of the three screens, %s',
      async (scheme) => {
        for (const [name, path] of [
          ['overview', '/'],
          ['integrations', '/integrations'],
          ['integration', `/integrations/${pair.client_id}/${pair.app_id}`],
        ] as const) {
          const at = await openDashboard({ viewport, scheme });
          await at.goTo(path);
          await settled(at);
          await shot(at, `${name}-${width}-${scheme}`);
          await isClean(at);
        }
      },
      90_000,
    );

    it('shows why an integration cannot go live, and links to the reason', async () => {
      const at = await openDashboard({ viewport });
      await at.goTo('/');
      const waiting = at.page.getByRole('region', { name: 'Before go-live' });
      await waiting
        .getByText(/^To do: /)
        .first()
        .waitFor();
      await waiting.getByRole('link', { name: /×/ }).first().click();
      await at.page.getByRole('heading', { name: 'Readiness' }).waitFor();
      await isClean(at);
    }, 60_000);

    it('opens a problem, mutes it with a reason and brings it back', async () => {
      const at = await openDashboard({ viewport });
      await at.goTo('/');
      await settled(at);
      const { page } = at;
      const mute = page.getByRole('button', { name: /^Mute ACCESS_DENIED/ }).first();
      await mute.click();
      await page.getByRole('textbox', { name: 'Reason' }).fill('The keys are on their way');
      await page.getByRole('dialog').getByRole('button', { name: 'Mute' }).click();
      await page.getByText('The problem is muted').waitFor();
      await page.getByText(/^All \(/).click();
      await page.getByText('The keys are on their way').waitFor();
      await page.getByRole('button', { name: /^Unmute ACCESS_DENIED/ }).click();
      await mute.waitFor();
      await page.getByRole('button', { name: 'Traffic: show as a table' }).click();
      await page.getByRole('table').first().waitFor();
      await page
        .getByRole('link', { name: /^Requests of ACCESS_DENIED/ })
        .first()
        .click();
      await page.waitForURL(/\/requests\?.*error_code=ACCESS_DENIED/);
      await page.goBack();
      await page
        .getByRole('link', { name: /^Last request of ACCESS_DENIED/ })
        .first()
        .click();
      await page.waitForURL(/\/requests\/[^?]+/);
      await page.close();
    }, 60_000);

    it('creates both partners, proposes, accepts, compares and suspends', async () => {
      const at = await openDashboard({ viewport });
      const { page } = at;
      await at.goTo('/integrations');
      await settled(at);
      for (const kind of ['host app', 'miniapp']) {
        await page
          .getByRole('button', { name: `Create ${kind}` })
          .first()
          .click();
        await page.getByRole('textbox', { name: 'Name' }).fill(`New ${kind} ${width}`);
        await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
        await page.getByText(/shown this once/).waitFor();
        const kept = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Download' }).click();
        expect((await kept).suggestedFilename()).toMatch(/\.env$/);
        await page.getByRole('button', { name: 'I have kept it' }).click();
      }
      await page.getByRole('button', { name: 'Propose integration' }).first().click();
      const choose = async (label: string, words: string): Promise<void> => {
        const field = page.getByRole('dialog').getByLabel(label);
        const option = field.locator('option', { hasText: words });
        await field.selectOption((await option.getAttribute('value')) ?? '');
      };
      await choose('Host app', `New host app ${width}`);
      await choose('Miniapp', `New miniapp ${width}`);
      await page.getByRole('dialog').getByRole('button', { name: 'Propose' }).click();
      const card = page.getByRole('article').filter({ hasText: `New host app ${width}` });
      await card.getByText('proposed').waitFor();
      for (const [action, state] of [
        ['Accept', 'accepted'],
        ['Suspend', 'suspended'],
      ] as const) {
        await card.getByRole('button', { name: new RegExp(`^${action} `) }).click();
        await page.getByRole('dialog').getByRole('button', { name: action }).click();
        await card.getByText(state, { exact: true }).waitFor();
      }
      await card.getByRole('button', { name: /^Compare / }).click();
      await page.getByRole('columnheader', { name: 'The other' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('Grid', { exact: true }).click();
      await page.getByRole('region', { name: 'Integrations by health' }).getByRole('link').first().waitFor();
      await shot(at, `grid-${width}`);
      await isClean(at);
    }, 60_000);

    it('checks URLs, sends test traffic, shows changes, goes live with a reason and back', async () => {
      const at = await openDashboard({ viewport });
      const { page } = at;
      await at.goTo(`/integrations/${pair.client_id}/${pair.app_id}`);
      await settled(at);
      await page.getByRole('button', { name: 'Check URLs' }).click();
      await page.getByText('The URLs were checked').waitFor();
      for (const part of ['Test sign-on', 'Test payment', 'Test event']) {
        await page.getByRole('button', { name: 'Send test traffic' }).click();
        await page.getByRole('menuitem', { name: part }).click();
        await page.getByText('The test traffic is on its way').first().waitFor();
        await until(
          () => manage<{ state: string }>('GET', 'sandbox/demo'),
          ({ state }) => state === 'as-expected',
          30_000,
        );
        await page.getByText('The test traffic is on its way').first().waitFor({ state: 'detached' });
      }
      await page.getByRole('button', { name: 'Changes' }).click();
      await page
        .getByRole('dialog')
        .getByText(/accepted|Accepted/)
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Go live/ }).click();
      const dialog = page.getByRole('dialog', { name: /^Go live/ });
      const reason = dialog.getByRole('textbox', { name: 'Reason' });
      if (await reason.isVisible()) await reason.fill('The fair is tomorrow');
      await dialog.getByRole('button', { name: /^Go live/ }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Back to test' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('The fair is over');
      await page.getByRole('dialog').getByRole('button', { name: 'Back to test' }).click();
      await page.getByRole('button', { name: /^Go live/ }).waitFor();
      await page.getByRole('link', { name: 'Run conformance' }).click();
      await page.waitForURL(({ search }) => search.includes(`client_id=${pair.client_id}`) && search.includes(`app_id=${pair.app_id}`));
      await page.getByRole('heading', { name: 'Conformance', level: 1 }).waitFor();
      await page.goBack();
      await page
        .getByRole('link', { name: /^Proof: / })
        .first()
        .click();
      await page.waitForURL(/\/(requests|payments|deliveries)\//);
      await page.close();
    }, 60_000);
  });

  describe('with more integrations than a page holds', () => {
    beforeAll(async () => {
      const host = await manage<{ client_id: string }>('POST', 'host-apps', { client_id: 'host_aaaa00000001', name: 'Many' });
      for (let i = 0; i < 55; i++) {
        const { app_id: app } = await manage<{ app_id: string }>('POST', 'miniapps', { name: `App ${String(i)}` });
        await manage('PUT', `integrations/${host.client_id}/${app}`, { status: 'accepted', features: {} });
      }
    }, 60_000);

    it.each([
      ['desk', desktop],
      ['phone', phone],
    ] as const)(
      'lists the integrations with the most traffic first, page by page, at the %s',
      async (width, viewport) => {
        const at = await openDashboard({ viewport });
        const { page } = at;
        await at.goTo('/integrations');
        await page.getByText('By traffic', { exact: true }).waitFor();
        await page.getByText(/× /).first().waitFor();
        await settled(at);
        await shot(at, `traffic-${width}`);
        expect(await at.axe()).toEqual([]);
        expect(await at.overflow()).toBe(0);
        const saved = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Save as CSV' }).click();
        expect((await saved).suggestedFilename()).toBe('traffic-of-integrations.csv');
        await page.getByText('List', { exact: true }).click();
        await page.getByText('Page 1, by Client ID').waitFor();
        expect(await page.getByRole('article').count()).toBe(50);
        await page.getByRole('button', { name: 'More' }).click();
        await page.getByText('Page 2, by Client ID').waitFor();
        await page
          .getByRole('article')
          .filter({ hasText: pair.app_id })
          .getByText(/success · last call/)
          .waitFor();
        await page.getByRole('button', { name: 'Back' }).click();
        await page.getByText('Page 1, by Client ID').waitFor();
        expect(at.errors).toEqual([]);
        await page.close();
      },
      60_000,
    );
  });
});
