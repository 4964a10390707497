import type { Page } from 'playwright-core';
import { type DashboardBrowser } from '../../support/dashboard/dashboard-browser';
import { inBrowser } from '../../support/dashboard/in-browser';

const [secondMs, minuteMs] = [1000, 60_000] as const;

/** The page of the operator, which asks for the instances every 5 s; its clock stands, and goes on by the test alone. */
class OpenPage {
  private constructor(private readonly page: Page) {}

  static async of(dashboard: DashboardBrowser): Promise<OpenPage> {
    const { page } = dashboard;
    await page.clock.install();
    await dashboard.goTo('/operator');
    await page.getByText(/serving; each announces itself/).waitFor();
    const open = new OpenPage(page);
    // The page may show an earlier screen, and a request may be on its way: a clock that stopped now would never bring the next.
    await open.requestBy(() => Promise.resolve());
    await open.requestBy(() => page.clock.pauseAt(Date.now() + 30 * secondMs));
    return open;
  }

  /** Lets so much of its time pass; what the next request for the instances says of who is at the page: `null` is nothing. */
  after(ms: number): Promise<string | null> {
    return this.requestBy(() => this.page.clock.fastForward(ms));
  }

  /** The header as it left the browser. */
  private async requestBy(action: () => Promise<void>): Promise<string | null> {
    const sentRequest = this.page.waitForRequest((request) => new URL(request.url()).pathname === '/manage/v1/operations/instances');
    await action();
    const request = await sentRequest;
    // The page asks anew five seconds after it has taken in the answer: what it fetches afterwards comes after that.
    await (await request.response())?.finished();
    await this.page.evaluate('fetch(location.href).then((page) => page.text())');
    return request.headerValue('x-unattended');
  }
}

describe('an open page without a user', () => {
  const { openDashboard } = inBrowser();

  it.each<[string, (page: Page) => Promise<void>]>([
    ['a key', (page) => page.keyboard.press('Shift')],
    ['the pointer', (page) => page.mouse.move(200, 200)],
  ])('says so after five minutes, until it is touched by %s', async (_touch, touch) => {
    const dashboard = await openDashboard();
    const open = await OpenPage.of(dashboard);
    await touch(dashboard.page);
    expect(await open.after(4 * minuteMs)).toBeNull();
    expect(await open.after(minuteMs - secondMs)).toBeNull();
    expect(await open.after(5 * secondMs)).toBe('1');
    expect(await open.after(8 * 60 * minuteMs)).toBe('1');
    await touch(dashboard.page);
    expect(await open.after(5 * secondMs)).toBeNull();
    expect(await open.after(5 * minuteMs)).toBe('1');
    expect(dashboard.errors).toEqual([]);
    await dashboard.page.close();
  });
});
