import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { BusyQuarter } from '../busy-quarter';
import { DashboardBrowser, desktop, phone } from './dashboard-browser';
import { screenPaths, type ScreenPath } from './dashboard-screens';
import { manageOf, seedTraffic } from './dashboard-traffic';
import { openBareDatabase } from '../postgres/database';
import { type DevelopmentService, startDevelopmentService } from '../service/development-service';
import { openBrowser } from './playground-browser';
import { makeWeekOfSales, soldBy } from '../payments/week-of-sales';

/** Where the guides look for them; another folder is for who only wants to look, and shows every screen on a phone as well. */
const folder = process.env['PICTURES'] ?? join(__dirname, '../../../docs/images');
/** The screens, by the names of their pictures and a comma between them; absent: of all. */
const wanted = process.env['PICTURES_OF']?.split(',');
const onPhones: readonly string[] = ['overview', 'payments', 'deliveries', 'analytics'];
/** How long traffic is made before the first picture; it goes on until the last. */
const busyForMs = 6 * 60_000;

const screens = screenPaths().filter(({ name }) => wanted?.includes(name) ?? true);
const isOfSales = ({ path }: ScreenPath): boolean => path === '/analytics';

let browser: Browser;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** What the pictures of a series are taken of. */
interface Stage {
  readonly service: DevelopmentService;
  /** What a screen's path stands for, with its query. */
  readonly whole: (path: string) => string;
  /** One sign-in does for all: each is in the audit log, and among the sessions. */
  stored?: BrowserContextOptions['storageState'];
}

/** To 256 colours, which is a third of the bytes; as it is where pngquant is not installed. */
const shrink = (file: string): void => void spawnSync('pngquant', ['--force', '--ext', '.png', '--skip-if-larger', '256', file]);

async function picture(stage: Stage, path: string, name: string, viewport: typeof desktop, scheme: 'light' | 'dark'): Promise<void> {
  const { service, stored } = stage;
  const open = await DashboardBrowser.open(browser, service, { viewport, scheme, stored });
  await open.goTo(stage.whole(path));
  await open.page.waitForLoadState('networkidle', { timeout: 4000 }).catch(() => undefined);
  await open.page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' });
  // What moves into its place has done so.
  await open.page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined)))');
  const file = join(folder, `dashboard-${name}.png`);
  await open.page.screenshot({ path: file });
  shrink(file);
  stage.stored ??= await open.page.context().storageState();
  await open.page.close();
}

function pictures(of: readonly ScreenPath[], stage: () => Stage): void {
  const isTaking = process.env['PICTURES'] !== undefined;
  describe.each(of)('$path', ({ path, name }) => {
    it.each(['light', 'dark'] as const)(
      '%s',
      (scheme) => picture(stage(), path, scheme === 'dark' ? `${name}-dark` : name, desktop, scheme),
      60_000,
    );
    if (isTaking || onPhones.includes(name)) it('on a phone', () => picture(stage(), path, `${name}-phone`, phone, 'light'), 60_000);
    if (isTaking) it('on a phone, dark', () => picture(stage(), path, `${name}-phone-dark`, phone, 'dark'), 60_000);
  });
}

function ofAWeekOfSales(of: readonly ScreenPath[]): void {
  let stage: Stage;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const database = await openBareDatabase();
    const service = await startDevelopmentService('url' in database.target ? database.target.url : undefined);
    close = async () => {
      await service.stop();
      await database.close();
    };
    await makeWeekOfSales(service, database);
    const query = new URLSearchParams({ ...soldBy, range: '7d', show: 'differences' }).toString();
    stage = { service, whole: (path) => `${path}?${query}` };
  }, 300_000);
  afterAll(() => close());
  pictures(of, () => stage);
}

/** Where the records lie that have most to tell, by the screen that shows one. */
const explaining = {
  requests: 'exchanges?refused_check=signature&limit=1',
  payments: 'payments?conflict=open&limit=1',
  deliveries: 'deliveries?kind=completion&limit=200',
};

/** What a screen is asked for beside its path: most begin with the quarter of an hour that was busy. */
const queries: Readonly<Record<string, (of: BusyQuarter) => string>> = {
  '/conformance': () => 'client_id=host_sandbox00001&app_id=app_sandbx',
  '/credentials': () => 'range=15m&partner=miniapp:app_ferrys',
  '/allowlist': ({ refusedHostApp }) => `partner=host-app:${refusedHostApp}`,
  '/audit': () => '',
  '/accounts': () => '',
  '/account': () => '',
};

/** A path with what its parameters stand for; `ids` of records by the path of their list. */
function filled(path: string, ids: ReadonlyMap<string, string>, quarter: BusyQuarter): string {
  const list = path.includes(':kind') ? 'payments' : path.split('/')[1];
  const whole = path
    .replace(':kind', 'payment')
    .replace(':clientId', 'host_sandbox00001')
    .replace(':appId', 'app_ferrys')
    .replace(':id', ids.get(list ?? '') ?? 'none');
  return `${whole}?${queries[path]?.(quarter) ?? 'range=15m'}`;
}

function ofABusyQuarter(of: readonly ScreenPath[]): void {
  let [service, quarter, stage]: [DevelopmentService?, BusyQuarter?, Stage?] = [];
  let goesOn: Promise<void> | undefined;
  beforeAll(async () => {
    service = await startDevelopmentService();
    await seedTraffic(service);
    const made = (quarter = await BusyQuarter.prepare(service));
    await made.go(busyForMs);
    const ids = new Map<string, string>();
    for (const [screen, query] of Object.entries(explaining)) {
      const { data } = (await manageOf(service, 'GET', query)) as { data: { id: string; attempt_count?: number }[] };
      const mostAttempts = [...data].sort((a, b) => (b.attempt_count ?? 0) - (a.attempt_count ?? 0))[0];
      if (mostAttempts) ids.set(screen, mostAttempts.id);
    }
    stage = { service, whole: (path) => filled(path, ids, made) };
    goesOn = made.go(20 * 60_000);
  }, 900_000);
  afterAll(async () => {
    quarter?.end();
    await goesOn;
    await service?.stop();
  });
  pictures(of, () => stage!);
}

const [sales, others] = [screens.filter(isOfSales), screens.filter((screen) => !isOfSales(screen))];
if (sales.length > 0) describe('a week of sales', () => ofAWeekOfSales(sales));
if (others.length > 0) describe('a busy quarter of an hour', () => ofABusyQuarter(others));
