import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenServer } from '../../../src/sandbox/open-server';
import { SandboxHostApp } from '../../../src/sandbox/partners/sandbox-host-app';
import { SandboxMiniapp } from '../../../src/sandbox/partners/sandbox-miniapp';
import { conformProgress } from '../../../src/composition/conform/conform-progress';
import { scenariosOf } from '../../../src/conformance/scenarios/all-scenarios';
import { conform, scenariosIn, scenariosWith } from '../../support/service/conform-run';

const secret = 'CANARY-conformance-secret-of-more-than-32-bytes';
const loopback = { host: '127.0.0.1', port: 0 };
const asMiniapp = ['--role', 'miniapp', '--set', 'app_id=app_abc123', '--set', `secret_key=${secret}`];
const asHostApp = ['--role', 'host-app', '--set', 'client_id=host_abc123def456', '--set', 'host_app_client_id=platform'];
const withSecret = ['--set', `host_app_secret_key=${secret}`];

let folder: string;
let miniapp: OpenServer;
let hostApp: OpenServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conform-'));
  const [one, other] = [new SandboxMiniapp(), new SandboxHostApp()];
  one.trust({ user: 'app_abc123', secret, ownId: 'app_abc123' });
  other.trust({ user: 'platform', secret, ownId: 'host_abc123def456' });
  [miniapp, hostApp] = [await one.start(loopback), await other.start(loopback)];
});
afterAll(async () => {
  await Promise.all([miniapp.close(), hostApp.close(), rm(folder, { recursive: true })]);
});

describe('partners that cannot be driven', () => {
  let server: Server;
  const stub = async (listener: RequestListener): Promise<string> => {
    server = createServer(listener);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  };
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('nothing listens: it is said at once, and nothing is tried again', async () => {
    const url = await stub(() => undefined);
    await new Promise((closed) => server.close(closed));
    for (const role of [asMiniapp, [...asHostApp, ...withSecret]]) {
      const run = await conform('--url', url, ...role);
      expect([run.code, run.out]).toEqual([2, expect.stringMatching(/The run was given up, with \d+ scenarios left: /)]);
      expect(run.out).toContain('nothing listens there');
    }
  });

  it.each([
    ['miniapp', asMiniapp],
    ['host-app', [...asHostApp, ...withSecret]],
  ])('a %s that hangs: three scenarios at their deadline, and the run is given up', async (_role, args) => {
    let calls = 0;
    const url = await stub(() => {
      calls += 1;
    });
    const began = performance.now();
    const run = await conform('--url', url, '--timeout-ms', '60', '--json', ...args);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect([run.code, calls]).toEqual([2, 3]);
    expect(scenariosWith(run, 'passed')).toEqual([]);
    expect(scenariosWith(run, 'not_run').at(-1)).toContain('no answer within 60 ms');
  });

  it('a page for every path fails scenarios that must pass and those that must be refused', async () => {
    const url = await stub((_request, response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Welcome</h1>'));
    const run = await conform('--url', url, '--json', ...asMiniapp);
    expect(run.code).toBe(1);
    const failed = scenariosWith(run, 'failed');
    expect(failed).toContainEqual(expect.stringMatching(/^sign-on.user: answered 200 text\/html .*INVALID_RESPONSE_CONTENT_TYPE/));
    expect(failed).toContainEqual(expect.stringMatching(/^credentials.none-auth-token: .*the call was taken/));
  });

  it('connections that drop midway are reported as such', async () => {
    const url = await stub((request) => request.socket.destroy());
    const run = await conform('--url', url, '--only', 'sign-on.user', '--json', ...asMiniapp);
    expect(scenariosWith(run, 'failed')).toEqual([expect.stringContaining('the connection was closed without an answer')]);
  });
});

describe('what a run leaves behind', () => {
  it('a page, JUnit and a badge, with the reason and fix of each failure', async () => {
    const files = { html: join(folder, 'r.html'), junit: join(folder, 'r.xml'), badge: join(folder, 'r.svg') };
    const only = ['--only', 'sign-on', '--only', 'webhook.paid', '--only', 'signature.empty', '--only', 'ids'];
    const out = Object.entries(files).flatMap(([name, file]) => [`--${name}`, file]);
    const wrong = ['--set', 'secret_key=CANARY-but-not-the-one'];
    const run = await conform('--url', miniapp.url, ...asMiniapp, ...wrong, ...only, ...out);
    expect(run.code).toBe(1);
    expect(run.out).toMatch(/✗ webhook\.paid .*\n(.*\n)*? {2}reason {4}answered 401 ACCESS_DENIED .*\n {2}fix {7}\S/);
    expect(run.out).toMatch(/miniapp: \d+ of 21 passed, \d+ failed, 1 do not apply/);
    const [html, junit, badge] = await Promise.all(Object.values(files).map((file) => readFile(file, 'utf8')));
    expect(junit).toMatch(/<testsuites name="conformance of the miniapp" tests="22" failures="\d+" errors="0" skipped="1"/);
    expect(junit).toContain('<skipped message="no request signing is agreed on"/>');
    expect(html).toContain('<dt>Fix</dt>');
    expect(html).not.toMatch(/<script|src=|href=|url\(/);
    expect(badge).toMatch(/^<svg .*miniapp \d+\/21/);
    expect(run.out + run.err + String(html) + String(junit)).not.toContain('CANARY');
  });

  it('a text of the result, and a line for each scenario meanwhile', async () => {
    const run = await conform('--url', `${miniapp.url}/`, ...asMiniapp, '--only', 'events');
    expect([run.code, run.out]).toEqual([0, expect.stringContaining('miniapp: 9 of 9 passed')]);
    expect(run.err.trimEnd().split('\n')).toHaveLength(9);
  });

  it('a bar where a person looks on, cleared at the end', () => {
    let shown = '';
    const { report, end } = conformProgress({ err: (text) => void (shown += text), colour: true }, 4);
    const [first] = scenariosOf('miniapp');
    for (const done of [1, 2]) report({ scenario: first!, verdict: done === 1 ? 'passed' : 'failed', came: [], ms: 1 }, done);
    const [, , bar = ''] = shown.split('\r');
    expect(bar).toMatch(/█{15}░{15} 2\/4 .*1 failed.*sign-on\.user/);
    end();
    expect(shown.endsWith('\r\x1b[2K')).toBe(true);
  });

  it('the report on the screen, also where a file cannot be written', async () => {
    const run = await conform('--url', miniapp.url, ...asMiniapp, '--only', 'events.event', '--html', join(folder, 'nowhere/r.html'));
    expect([run.code, run.out]).toEqual([2, expect.stringContaining('1 of 1 passed')]);
    expect(run.err).toContain('ENOENT');
  });

  it('the code of a partner, but none of its words', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error_code":"OWN_CODE","error_message":"CANARY of mine"}');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const run = await conform('--url', url, ...asMiniapp, '--only', 'sign-on.user');
    server.close();
    expect(run.out).toContain('OWN_CODE: a good call is refused');
    expect(run.out).not.toContain('CANARY');
  });

  it('a list of scenarios, as many for each role as the guide says', async () => {
    const guide = await readFile(join(__dirname, '../../../docs/guides/conformance.md'), 'utf8');
    for (const role of ['miniapp', 'host-app']) {
      const lines = (await conform('--role', role, '--list')).out.trimEnd().split('\n');
      expect(lines.length).toBeGreaterThanOrEqual(40);
      const signatures = lines.filter((line) => line.startsWith('signature.')).length;
      expect(guide).toMatch(new RegExp(`\\| \`${role}\` .*\\| ${lines.length}, ${signatures} of them for signatures`));
      expect(new Set(lines.map((line) => line.split(' ')[0])).size).toBe(lines.length);
    }
  });
});

describe('other agreements', () => {
  const cases: readonly (readonly [name: string, set: readonly string[], absent: string])[] = [
    ['a client access token', ['client_access_token_url=/oauth/client-token'], 'credentials.wrong-events'],
    ['payments in the name of users', ['use_access_token:=true'], 'credentials.wrong-create-payment'],
  ];
  it.each(cases)('a host app with %s passes whole', async (_name, set, absent) => {
    const more = set.flatMap((value) => ['--set', value]);
    const groups = ['client-token', 'user-payments', 'payments', 'status', 'credentials'].flatMap((group) => ['--only', group]);
    const run = await conform('--url', hostApp.url, ...asHostApp, ...withSecret, ...more, ...groups, '--json');
    expect([scenariosWith(run, 'failed'), scenariosWith(run, 'not_run'), run.code]).toEqual([[], [], 0]);
    expect(scenariosIn(run).find(({ id }) => id === absent)?.verdict).toBe('not_applicable');
  });

  it('settings come from a file, with URLs absolute, as paths, or null', async () => {
    const file = join(folder, 'conform.json');
    const settings = { app_id: 'app_abc123', secret_key: secret, get_auth_token_url: `${miniapp.url}/auth`, webhook_url: '/webhook' };
    await writeFile(file, JSON.stringify({ ...settings, events_bridge_url: null, kind: 'commerce', version: 3, warnings: [] }));
    const run = await conform('--role', 'miniapp', '--url', miniapp.url, '--settings', file, '--json');
    expect([scenariosWith(run, 'failed'), scenariosWith(run, 'not_run')]).toEqual([[], []]);
    expect(scenariosIn(run).find(({ id }) => id === 'events.event')?.verdict).toBe('not_applicable');
  });
});

describe('what cannot be run', () => {
  const settings = async (json: unknown): Promise<string[]> => {
    const file = join(folder, 'wrong.json');
    await writeFile(file, typeof json === 'string' ? json : JSON.stringify(json));
    return ['--settings', file];
  };
  it.each<[string, unknown, RegExp]>([
    ['no credentials', {}, /Basic needs app_id and secret_key/],
    ['no JSON', 'app_id: x', /must hold a JSON object/],
    ['a setting that there is not', { secret_key: secret, webhok_url: '/x' }, /webhok_url unknown member/],
    ['a setting of a wrong kind', { secret_key: secret, webhook_url: 7 }, /webhook_url must be text/],
    ['test data that there is not', { secret_key: secret, test: { users: [] } }, /test\.users unknown member/],
    ['signing without a key', { signature: { algorithm: 'RSA2', api_client_id: 'c' } }, /signature\.platform_private_key/],
    ['a key that is none', { signature: { algorithm: 'RSA2', platform_private_key: 'x' } }, /must be a private key in PEM/],
  ])('is said in one line: %s', async (_what, json, reason) => {
    const run = await conform('--role', 'miniapp', '--url', miniapp.url, ...(await settings(json)));
    expect([run.code, run.out]).toEqual([2, '']);
    expect(run.err).toMatch(reason);
    expect(run.err).not.toContain('CANARY');
  });

  it.each<[string, readonly string[], RegExp]>([
    ['no address', asMiniapp, /--url is needed/],
    ['an address that is none', [...asMiniapp, '--url', 'example'], /--url must be an absolute URL/],
    ['a group that there is not', [...asMiniapp, '--url', 'http://127.0.0.1:1', '--only', 'nothing'], /--only nothing/],
    ['a role that there is not', ['--role', 'bank'], /Allowed choices/],
    ['a --set without a value', [...asMiniapp, '--url', 'http://127.0.0.1:1', '--set', 'x'], /must be name=text/],
  ])('is said in one line: %s', async (_what, args, reason) => {
    const run = await conform(...args);
    expect(run.code).toBe(2);
    expect(run.err).toMatch(reason);
  });
});
