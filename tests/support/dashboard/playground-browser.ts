import { existsSync } from 'node:fs';
import { chromium, type Browser, type FrameLocator, type Page } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
// It runs as root in containers, and asks nobody for updates.
const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

/** Debian's Chromium, without a window. Throws where it is not installed. */
export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('apt-get install chromium');
  return chromium.launch({ executablePath, args: [...quiet, '--disable-component-update', '--disable-sync'] });
}

/** The playground's page and the hands of its user. */
export class PlaygroundBrowser {
  /** What the console called an error, and what no code caught. */
  readonly errors: string[] = [];
  /** The origins that anything was asked of. */
  readonly origins = new Set<string>();
  readonly shop: FrameLocator;

  constructor(readonly page: Page) {
    this.shop = page.frameLocator('iframe[title="Miniapp"]');
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
    page.on('pageerror', (error) => void this.errors.push(error.message));
    page.on('request', (request) => void this.origins.add(new URL(request.url()).origin));
  }

  /** Opens the page as a user with a way to sign on, and the miniapp in it. */
  async launch(url: string, { user, flow }: { user: string; flow: string }): Promise<void> {
    await this.page.goto(url);
    await this.page.getByRole('combobox', { name: /^User/ }).selectOption({ label: user });
    await this.page.getByText(flow, { exact: true }).click();
    await this.page.getByRole('button', { name: /Skerry Ferries/ }).click();
    await this.shop.getByRole('button', { name: 'Sign in with Harbour' }).waitFor();
  }

  /** Signs on; says whether the consent sheet was shown, and agrees to it. */
  async signOn(): Promise<boolean> {
    await this.shop.getByRole('button', { name: 'Sign in with Harbour' }).click();
    const agree = this.page.getByRole('button', { name: 'Agree and continue' });
    const signedOn = this.shop.getByText('Signed in with Harbour');
    await agree.or(this.page.locator('[data-leg^="AppBoxoWebAppLogin: token"]')).first().waitFor();
    const isPrompted = await agree.isVisible();
    if (isPrompted) await agree.click();
    await signedOn.waitFor();
    return isPrompted;
  }

  /** Orders, and acts on the host app's sheet; resolves to the payment's id and to what the ticket says. */
  async buy(cents: string, action: 'Pay' | 'Cancel' = 'Pay'): Promise<{ id: string; amount: string; ticket: string }> {
    await this.shop.locator('select').selectOption(cents);
    await this.shop.getByRole('button', { name: /^Buy for/ }).click();
    const sheet = this.page.getByRole('dialog', { name: 'Pay Skerry Ferries' });
    const amount = /USD (\S+)/.exec(await sheet.getByRole('button', { name: /^Pay/ }).innerText())?.[1] ?? '';
    await sheet.getByRole('button', { name: new RegExp(`^${action}`) }).click();
    const ticket = this.shop.locator('.ticket:not([data-status="in_process"])');
    await ticket.waitFor();
    return {
      amount,
      id: (await ticket.getAttribute('data-payment')) ?? '',
      ticket: (await ticket.getAttribute('data-status')) ?? '',
    };
  }

  /** Takes one item of the menu that the host app has over an open miniapp. */
  async choose(item: string): Promise<void> {
    await this.page.getByRole('button', { name: 'What the host app can do' }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** The calls that the panel shows, in its order. */
  legs(): Promise<string[]> {
    return this.page.locator('[data-leg]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-leg') ?? ''));
  }

  /** How the panel says that a call is signed, and the details that a click on it shows. */
  async proofOf(call: string): Promise<string> {
    const row = this.page.locator(`[data-leg="${call}"]`).first();
    await row.getByRole('button').click();
    await row.locator('dl').waitFor();
    const text = `${(await row.getAttribute('data-proof')) ?? 'not signed'}\n${await row.locator('dl').innerText()}`;
    await row.getByRole('button').click();
    return text;
  }

  /** Waits until the panel shows a call. */
  async shows(call: string): Promise<void> {
    await this.page.locator(`[data-leg="${call}"]`).first().waitFor();
  }
}
