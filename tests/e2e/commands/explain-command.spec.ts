import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { registerExplain } from '../../../src/composition/commands/explain-command';
import { aPair } from '../../support/signatures/a-pair';
import { runCommand } from '../../support/service/command-line';
import { operatorToken, startTestService, until, type TestService } from '../../support/service/service';

const cli = path.join(__dirname, '../../../dist/src/cli.js');
const secret = 'CANARY-hmac-secret-of-32-bytes-or-more';
const target = '/api/v1/orders/create-order-payment/';

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** In this process. */
async function pierhead(args: readonly string[]): Promise<Ran> {
  const { code, out: stdout, err: stderr } = await runCommand([registerExplain], ['explain', ...args]);
  return { code, stdout, stderr };
}

/** As a process of its own that reads its standard input. */
const pierheadReading = (input: string, args: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [cli, 'explain', ...args, '-'], { timeout: 30_000 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });

const macOf = (text: string): string => createHmac('sha256', secret).update(text).digest('base64');

/** A saved request whose text was signed as `sign` makes it of the URL and the body. */
function saved(sign: (url: string, body: string) => string, { body = '{"app_id":"app_1"}', end = '\n', at = 1_700_000_000 } = {}): string {
  const lines = [`POST ${target} HTTP/1.1`, 'Host: platform.example', 'X-Client-Id: cid_1', `X-Timestamp: ${String(at)}`];
  return [...lines, `X-Signature: ${macOf(sign(`https://platform.example${target}`, body))}`, '', body].join(end) + end;
}

let folder: string;
const put = async (name: string, text: string): Promise<string> => {
  await writeFile(path.join(folder, name), text);
  return path.join(folder, name);
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'explain-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('pierhead explain, offline', () => {
  const settings = () =>
    put(
      'settings.json',
      JSON.stringify({
        name: 'Mini',
        signature: { algorithm: 'HMAC', api_client_id: 'cid_1', hmac_secret: secret, platform_public_key: null },
      }),
    );
  const agreed = async (): Promise<string[]> => ['--settings', await settings(), '--received-at', '2023-11-14T22:13:20Z'];
  const offline = async (request: string, ...more: string[]): Promise<Ran> =>
    pierhead([...(await agreed()), ...more, await put('saved.txt', request)]);

  it('reads standard input', async () => {
    const fitting = saved((url, body) => `POST.${url}.cid_1.1700000000.${body}`);
    expect(await pierheadReading(fitting, await agreed())).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The signature fits'),
    });
  });

  it.each(['\n', '\r\n'])('names the mistake and points at the byte, with lines that end in %j', async (end) => {
    const { code, stdout, stderr } = await offline(saved((_url, body) => `POST.${target}.cid_1.1700000000.${body}`, { end }));
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n');
    expect(lines[0]).toContain('is the path alone instead of the full URL');
    expect(lines[1]).toBe('(url-form)');
    const at = lines.findIndex((line) => line.trim() === '^');
    expect(lines[at - 3]).toBe('The two texts part at byte 5:');
    const column = lines[at]!.indexOf('^');
    expect([lines[at - 2]!.slice(column, column + 5), lines[at - 1]!.slice(column, column + 5)]).toEqual(['https', '/api/']);
    expect(stdout).toContain('#!/usr/bin/env bash');
    expect(stdout).not.toContain('\x1b');
  });

  it('prints the code in the requested language', async () => {
    const { stdout } = await offline(
      saved((url, body) => `post.${url}.cid_1.1700000000.${body}`),
      '--language',
      'go',
    );
    expect(stdout).toContain('package main');
  });

  it('exits with 1 if the mistake is unknown, and with 0 if the signature is valid', async () => {
    expect(await offline(saved((url, body) => `${body}${url}something else`))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('None of the known mistakes'),
    });
    expect(await offline(saved((url, body) => `POST.${url}.cid_1.1700000000.${body}`))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The signature fits'),
    });
  });

  it('prints neither the secret nor the signature that would be right', async () => {
    const { stdout } = await offline(saved((url, body) => `POST.${url.replace('https', 'http')}.cid_1.1700000000.${body}`));
    expect(stdout).not.toContain(secret);
    expect(stdout).not.toContain(macOf(`POST.https://platform.example${target}.cid_1.1700000000.{"app_id":"app_1"}`));
  });

  it.each([
    ['neither settings nor a service', [], 'either --settings'],
    ['a language that is not there', ['--url', 'http://127.0.0.1:9', '--language', 'cobol'], '--language must be one of'],
    ['a service without a token', ['--url', 'http://127.0.0.1:9', '-'], '--token-file'],
    ['an unknown option', ['--nonsense'], 'unknown option'],
    ['a file that is not there', ['--settings', '/nowhere/settings.json', '/nowhere/request.txt'], 'ENOENT'],
  ])('ends with 2 for %s', async (_what, args, message) => {
    const { code, stderr } = await pierhead(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('ends with 2 for a text that is no request', async () => {
    expect(await offline('hello')).toMatchObject({ code: 2, stderr: expect.stringContaining('POST /path HTTP/1.1') });
  });
});

describe('pierhead explain, asking a service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  }, 60_000);
  afterAll(() => service.close());

  it('explains a saved request and a refused exchange', async () => {
    const signature = { enabled: true, algorithm: 'HMAC', api_client_id: 'cid_1', hmac_secret: service.canary(secret) };
    const { appId, clientId } = await aPair(service, { miniapp: { signature } });
    const body = JSON.stringify({ app_id: appId, client_id: clientId, order: { currency: 'EUR', amount: '1.10' } });
    const now = Math.floor(Date.now() / 1000);
    const flags = ['--url', service.url, '--token-file', await put('token', `${operatorToken}\n`)];
    const file = await put(
      'request.txt',
      saved((url, sent) => `POST.${url}.cid_1.${String(now)}.${sent}\n`.replace('https://platform.example', 'http://localhost:0'), {
        body,
        at: now,
      }),
    );
    expect(await pierhead([...flags, '--app', appId, file])).toMatchObject({ code: 0, stdout: expect.stringContaining('(body-newline)') });
    expect(await pierhead([...flags, '--app', 'app_nobody', file])).toMatchObject({ code: 2, stderr: expect.stringContaining('miniapp') });

    const headers = {
      'X-Client-Id': 'cid_1',
      'X-Timestamp': String(now),
      'X-Signature': Buffer.alloc(32).toString('base64'),
      'X-Request-Id': 'refused-one',
    };
    await service.call('POST', target, { headers, body });
    const [exchange] = await service.exchanges('refused-one');
    const ran = await until(
      () => pierhead([...flags, '--exchange', exchange!.id]),
      ({ code }) => code !== 2,
    );
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining('What must be signed') });
  }, 20_000);
});
