import type { Browser } from 'playwright-core';
import { startDevelopmentService, type DevelopmentService } from '../service/development-service';
import { DashboardBrowser } from './dashboard-browser';
import { openBrowser } from './playground-browser';

type OpenOptions = Parameters<typeof DashboardBrowser.open>[2];

/**
 * Starts a development service and a browser before the tests of a file or a `describe`, and ends both after them. `service` is empty until
 * then.
 */
export function inBrowser() {
  const service = {} as DevelopmentService;
  let browser: Browser;
  beforeAll(async () => {
    Object.assign(service, await startDevelopmentService());
    browser = await openBrowser();
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  return {
    service,
    openDashboard: (options?: OpenOptions) => DashboardBrowser.open(browser, service, options),
    newPage: (...options: Parameters<Browser['newPage']>) => browser.newPage(...options),
  };
}
