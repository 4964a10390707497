import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { DevelopmentService } from '../service/development-service';

export const desktop = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface AxeReport {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

interface Opened {
  readonly viewport?: typeof desktop;
  readonly scheme?: 'light' | 'dark';
  /** The session: stored by another page's context. */
  readonly stored?: BrowserContextOptions['storageState'];
}

/** The dashboard in a browser, and the hands of its user. */
export class DashboardBrowser {
  /** What the console called an error, and what no code caught; without refusals of a busy service, after which the page asks again. */
  readonly errors: string[] = [];
  /** The origins that anything was asked of. */
  readonly origins = new Set<string>();

  private constructor(
    readonly page: Page,
    private readonly service: Pick<DevelopmentService, 'url' | 'operatorToken'>,
  ) {
    page.on('console', (message) => {
      // Whether anybody is signed in is asked; the browser calls the answer no an error.
      const { url } = message.location();
      if (message.type() === 'error' && !url.endsWith('/manage/v1/session') && !/ (429|503) /.test(message.text()))
        this.errors.push(`${message.text()} ${url}`);
    });
    page.on('pageerror', (error) => void this.errors.push(error.message));
    page.on('request', (request) => void this.origins.add(new URL(request.url()).origin));
  }

  static async open(browser: Browser, service: DevelopmentService, { viewport = desktop, scheme = 'light', stored }: Opened = {}) {
    const options = { viewport, colorScheme: scheme, reducedMotion: 'reduce' } as const;
    return new DashboardBrowser(await browser.newPage({ ...options, ...(stored && { storageState: stored }) }), service);
  }

  /** Opens a path below /dashboard as the operator, signed in. */
  async goTo(path: string): Promise<void> {
    await this.signIn();
    await this.page.goto(`${this.service.url}/dashboard${path}`);
    await this.page.getByRole('navigation', { name: 'Screens', includeHidden: true }).waitFor({ state: 'attached' });
    await this.page.locator('h1').first().waitFor();
  }

  /** Signs in a new account of a partner; from then on `goTo` opens pages as that partner. */
  async signInAs(of: { readonly role: 'host-app'; readonly client_id: string } | { readonly role: 'miniapp'; readonly app_id: string }) {
    const { url, operatorToken } = this.service;
    const { request } = this.page;
    const email = `${Object.values(of).join('-')}@example.com`;
    const headers = { Authorization: `Bearer ${operatorToken}` };
    const made = await request.post(`${url}/manage/v1/accounts`, { headers, data: { email, name: 'Kim', ...of } });
    const { link } = (await made.json()) as { link: { url: string } };
    const data = { token: new URL(link.url).hash.slice(1), new_password: 'a quiet harbour at dawn' };
    const begun = await request.post(`${url}/manage/v1/session`, { data });
    if (!begun.ok()) throw new Error(`The partner could not sign in: ${await begun.text()}`);
  }

  /** Signs the operator in by a one-time link, unless somebody is signed in. */
  private async signIn(): Promise<void> {
    const cookies = await this.page.context().cookies(this.service.url);
    if (cookies.some(({ name }) => name === 'pierhead')) return;
    const { url, operatorToken } = this.service;
    const { request } = this.page;
    const made = await request.post(`${url}/manage/v1/operator-links`, { headers: { Authorization: `Bearer ${operatorToken}` } });
    const link = (await made.json()) as { url: string };
    const begun = await request.post(`${url}/manage/v1/session`, { data: { token: new URL(link.url).hash.slice(1) } });
    if (!begun.ok()) throw new Error(`Nobody could sign in: ${await begun.text()}`);
  }

  /** What axe finds serious or critical on the page as it is. */
  async axe(): Promise<string[]> {
    await this.page.evaluate(axeSource);
    const report = await this.page.evaluate<AxeReport>('axe.run(document, { resultTypes: ["violations"] })');
    const serious = report.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    return serious.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`));
  }

  /** By how many pixels the page is wider than the window; 0 is right. */
  overflow(): Promise<number> {
    return this.page.evaluate('Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)');
  }
}
