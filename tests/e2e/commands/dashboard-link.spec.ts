import { commands } from '../../../src/cli';
import { runCommand } from '../../support/service/command-line';
import { mainDatabaseKind } from '../../support/postgres/database';
import { testManageApi } from '../../support/service/manage-api';

const command = (env: Record<string, string>, ...options: string[]) => runCommand(commands, ['dashboard-link', ...options], env);

// The embedded database serves one process.
const describeOnPostgres = mainDatabaseKind === 'postgres' ? describe : describe.skip;

describeOnPostgres('pierhead dashboard-link', () => {
  const api = testManageApi();
  let env: Record<string, string>;
  beforeAll(async () => {
    const { target } = api;
    env = { DATABASE_URL: target.kind === 'postgres' ? target.url : '', PUBLIC_BASE_URL: 'https://platform.example' };
  }, 60_000);

  const signIn = (token: string) =>
    fetch(`${api.base}/manage/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
  const tokenIn = (url: string): string => new URL(url).hash.slice(1);

  it('prints one link, which signs the operator in, once', async () => {
    const { code, out, err } = await command(env);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^https:\/\/platform\.example\/dashboard\/sign-in#[\w-]{43}\n$/);
    const token = tokenIn(out.trim());
    const begun = await signIn(token);
    expect([begun.status, await begun.json()]).toMatchObject([201, { role: 'operator', account: { email: 'operator@localhost' } }]);
    expect((await signIn(token)).status).toBe(401);
  });

  it('prints as JSON when the link expires, and ends the previous link', async () => {
    const first = tokenIn((await command(env)).out.trim());
    const { code, out } = await command(env, '--json');
    const { url, expires_at: expiresAt } = JSON.parse(out) as { url: string; expires_at: string };
    expect(code).toBe(0);
    const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000;
    expect([hours > 23.9, hours <= 24]).toEqual([true, true]);
    expect((await signIn(first)).status).toBe(401);
    expect((await api.get('accounts')).body.data).toHaveLength(1);
    expect(tokenIn(url)).toMatch(/^[\w-]{43}$/);
  });

  it('without its database ends with 2, in words', async () => {
    const { code, out, err } = await command({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' });
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^[^\n]*ECONNREFUSED[^\n]*\n$/);
  });
});
