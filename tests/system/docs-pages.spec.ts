import { type DashboardBrowser, desktop, phone } from '../support/dashboard/dashboard-browser';
import { inBrowser } from '../support/dashboard/in-browser';

const { service, openDashboard } = inBrowser();

const appearances = [
  { viewport: desktop, scheme: 'light' },
  { viewport: phone, scheme: 'dark' },
] as const;
const guides = [
  'tour',
  'sandbox',
  'dashboard',
  'host-app',
  'native-sdks',
  'miniapp',
  'signatures',
  'conformance',
  'operator',
  'databases',
  'run-book',
];
const pages = [
  '',
  '/api',
  '/partners',
  '/errors',
  '/settings',
  '/contract',
  '/contract/conventions',
  '/contract/signatures',
  '/contract/payments',
  ...guides.map((name) => `/guides/${name}`),
  '/guides/manage-api',
];

describe.each(appearances)('the documentation at $viewport.width in $scheme', (appearance) => {
  const open = async (path: string): Promise<DashboardBrowser> => {
    const docs = await openDashboard(appearance);
    await docs.page.goto(`${service.url}/docs${path}`);
    return docs;
  };
  const check = async (docs: DashboardBrowser, axe: readonly string[]): Promise<void> => {
    expect([axe, await docs.overflow(), docs.errors, [...docs.origins]]).toEqual([[], 0, [], [service.url]]);
    await docs.page.close();
  };

  it.each(pages)('%s/ fits, is accessible, and loads nothing from elsewhere', async (path) => {
    const docs = await open(path);
    await docs.page.locator('h1').waitFor();
    await check(docs, await docs.axe());
  });

  it('has every call of the manage API, and finds one by typing', async () => {
    const docs = await open('/manage');
    const { page } = docs;
    if (appearance.viewport === phone) await page.getByText('Contents', { exact: true }).click();
    await page.getByRole('searchbox', { name: 'Filter the contents' }).fill('audit');
    const shown = page.getByRole('navigation', { name: 'Contents' }).getByRole('listitem').filter({ visible: true });
    for (const text of await shown.allTextContents()) expect(text).toMatch(/audit/i);
    await shown.first().getByRole('link').click();
    expect(new URL(page.url()).hash).not.toBe('');
    await check(docs, []);
  });
});

it('links from the list of guides to each guide, in reading order', async () => {
  const docs = await openDashboard();
  await docs.page.goto(`${service.url}/docs`);
  const links = docs.page.getByRole('main').locator('a.card[href^="/docs/guides/"]');
  const paths = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  expect(paths).toEqual([...guides, 'manage-api'].map((name) => `/docs/guides/${name}`));
  await docs.page.close();
});
