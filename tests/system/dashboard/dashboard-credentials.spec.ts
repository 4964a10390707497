import { createHmac, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, desktop, phone } from '../../support/dashboard/dashboard-browser';
import { seedPartners, seededSecret, type SeededPartners } from '../../support/dashboard/dashboard-credentials';
import { until } from '../../support/service/service';
import { inBrowser } from '../../support/dashboard/in-browser';

describe.each([
  ['at a desk', desktop, 'light'],
  ['on a phone', phone, 'dark'],
] as const)('credentials, allowlist and workbench %s', (_where, viewport, scheme) => {
  const { service, openDashboard } = inBrowser();
  let seeded: SeededPartners;
  let dashboard: DashboardBrowser;
  let page: Page;

  beforeAll(async () => {
    seeded = await seedPartners(service);
    dashboard = await openDashboard({ viewport, scheme });
    page = dashboard.page;
    page.setDefaultTimeout(10_000);
  }, 90_000);

  /** Nothing serious for axe, no sideways scroll, no error, nobody else asked. */
  const expectAccessible = async (): Promise<void> => {
    expect(await dashboard.axe()).toEqual([]);
    expect(await dashboard.overflow()).toBe(0);
    expect(dashboard.errors.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
    expect([...dashboard.origins].filter((origin) => origin !== service.url)).toEqual([]);
  };
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const inDialog = (name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name }).click();
  const showsText = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const fill = (label: string, text: string) => page.getByRole('dialog').getByRole('textbox', { name: label }).fill(text);

  it('stages, promotes and retires a secret key with the wizard, and shows its users', async () => {
    await until(
      () => seeded.manage('GET', `host-apps/${seeded.clientId}/credentials`),
      (found) => JSON.stringify(found).includes('127.0.0.1'),
      15_000,
    );
    await dashboard.goTo(`/credentials?partner=host-app:${seeded.clientId}`);
    await showsText('Blue Harbour calls Pierhead with it');
    await showsText('127.0.0.1');
    await expectAccessible();
    await press(/^Basic/);
    await inDialog('Make the next key');
    await showsText('The new secret key, shown once');
    await expectAccessible();
    await inDialog('Promote now');
    await showsText('What Blue Harbour must do now');
    await inDialog('Finish');
    await page.getByText('Previous', { exact: true }).waitFor();
    await page
      .getByRole('button', { name: /^Retire/ })
      .last()
      .click();
    await showsText('It is still in use');
    await showsText(/in the last day/);
    await expectAccessible();
    await inDialog('Retire all the same');
    await showsText('Retired: it is accepted no more');
    expect((await seeded.connect()).status).toBe(401);
  }, 120_000);

  it('refuses a wrong paste at its field, and accepts a proof of the right secret', async () => {
    const next = `${seededSecret}-next`;
    await dashboard.goTo(`/credentials?partner=miniapp:${seeded.appId}`);
    await press('Rotate HMAC secret');
    await fill('New secret', pem());
    await inDialog('Store as the next key');
    await showsText('must be a shared secret, not a key');
    await press('Generate one here');
    await fill('New secret', next);
    await inDialog('Store as the next key');
    const challenge = (await page.getByRole('region', { name: 'challenge' }).innerText()).trim();
    await fill('2. Paste the signature', 'bm90IGEgc2lnbmF0dXJl');
    await inDialog('Check the proof');
    await showsText(/was not made over the challenge/);
    await expectAccessible();
    await fill('2. Paste the signature', createHmac('sha256', next).update(challenge).digest('base64'));
    await inDialog('Check the proof');
    await inDialog('Leave it waiting');
    await inDialog('Finish');
    await page.getByRole('button', { name: /^Promote/ }).click();
    await inDialog('Promote');
    await showsText('Promoted: it is the current value now');
    await page
      .getByRole('button', { name: /^Prove possession/ })
      .first()
      .click();
    await page.getByRole('region', { name: 'challenge' }).waitFor();
    await page.keyboard.press('Escape');
  }, 120_000);

  it('runs a dry run of ECDSA, accepts both, and promotes it', async () => {
    await dashboard.goTo(`/credentials?partner=miniapp:${seeded.appId}`);
    await press(/^ECDSA/);
    await fill('New public key', pem());
    await inDialog('Continue');
    await page.getByRole('dialog').getByText('Try it first').click();
    await inDialog('Try it on calls');
    await inDialog('Leave the proof for later');
    await inDialog('Finish');
    await showsText('Dry run: ECDSA with SHA-256 beside HMAC');
    await showsText('No call has come since: nothing can be said yet.');
    await expectAccessible();
    await press('Accept both ways');
    await showsText('Both accepted');
    await press(/^Promote$/);
    await inDialog('Promote');
    await showsText('Promoted: calls are signed this way now, in both directions');
    await showsText('Dry run: HMAC with SHA-256 beside ECDSA');
    await press(/^End$/);
    await inDialog('End');
    await showsText('Ended: the stored settings alone count');
    await page.getByRole('heading', { name: 'Pierhead’s key' }).waitFor();
    const download = page.waitForEvent('download');
    await press(/^Download public key/);
    expect(readFileSync(await (await download).path(), 'utf8')).toContain('BEGIN PUBLIC KEY');
    await press(/^Signed sample/);
    await page.getByRole('region', { name: 'signature of the sample' }).waitFor();
    await expectAccessible();
    await page.keyboard.press('Escape');
  }, 120_000);

  it('turns the allowlist on, adds a refused address, names, tries and removes it', async () => {
    const own = await seeded.manage('POST', `host-apps/${seeded.clientId}/rotate`, { credential: 'secret_key' });
    const basic = `Basic ${Buffer.from(`${seeded.clientId}:${String(own['secret_key'])}`).toString('base64')}`;
    const connect = () =>
      fetch(`${service.url}/api/v1/connect/`, {
        ...{ method: 'POST', headers: { 'Content-Type': 'application/json', Authorization: basic } },
        body: JSON.stringify({ client_id: seeded.clientId, app_id: seeded.appId, user_data: { reference: 'user-1001' } }),
      });
    await dashboard.goTo(`/allowlist?partner=host-app:${seeded.clientId}`);
    await showsText('Off. Anyone with a valid signature may call.');
    await showsText('None: X-Forwarded-For is not believed');
    await press('Turn on');
    await inDialog('Turn on');
    await showsText('The allowlist is on');
    await until(connect, ({ status }) => status === 403, 10_000);
    const add = page.getByRole('button', { name: 'Add 127.0.0.1' });
    await add.waitFor({ timeout: 20_000 });
    await expectAccessible();
    await add.click();
    await fill('Label', 'Test runner');
    await inDialog('Add');
    await showsText('Test runner');
    await page.getByRole('textbox', { name: 'List to try' }).fill('10.0.0.0/8');
    await press('Try this list');
    await showsText(/Would have refused/);
    await press('Name 198.51.100.0/24');
    await fill('Label', 'Frankfurt');
    await inDialog('Save');
    await showsText('Frankfurt');
    await press(/^Add$/);
    await fill('Address or network', '198.51.100.1/24');
    await inDialog('Add');
    await page.getByRole('dialog').locator('[class*="error"]').first().waitFor();
    await fill('Address or network', '0.0.0.0/1');
    await showsText('A very large network');
    await inDialog('Cancel');
    await press('Remove 198.51.100.0/24');
    await inDialog('Remove');
    await showsText('198.51.100.0/24 is off the list');
    await expectAccessible();
  }, 120_000);

  it('explains a signature in the workbench, saves a vector and opens a payload', async () => {
    await dashboard.goTo('/workbench');
    await showsText('The signature is right');
    await expectAccessible();
    await page.getByRole('textbox', { name: 'Body' }).fill('{"order":{"amount":"99.00"}}');
    await press('Explain');
    await page.getByText('The signature is right').waitFor({ state: 'detached' });
    const download = page.waitForEvent('download');
    await press('Save as vector');
    expect(JSON.parse(readFileSync(await (await download).path(), 'utf8'))).toHaveProperty('signed_string');
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByRole('region', { name: 'Python code' }).waitFor();
    await page.getByText('Check Pierhead’s calls').click();
    await page.getByRole('region', { name: 'Python code' }).getByText('Checks a request that Pierhead signed').waitFor();
    await page.getByRole('tab', { name: 'TypeScript' }).click();
    await page.getByRole('region', { name: 'TypeScript code' }).getByText("from 'pierhead/kit'").waitFor();
    await page.getByRole('combobox', { name: 'Algorithm' }).click();
    await page.getByRole('option', { name: 'ECDSA' }).click();
    await press('Sign');
    await showsText('The signature is right');
    await press('Load a failed one');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /create/ })
      .first()
      .click();
    await showsText('Of the kept request');
    await expectAccessible();
    await page.getByRole('tab', { name: 'AES payload' }).click();
    await press(/^Open$/);
    await showsText('It opens: AES-256-CBC');
    await page.getByRole('textbox', { name: 'Payload' }).fill('AAAA');
    await press(/^Open$/);
    await showsText(/It does not open/);
    await expectAccessible();
  }, 120_000);
});

const pem = (): string => generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }).toString();
