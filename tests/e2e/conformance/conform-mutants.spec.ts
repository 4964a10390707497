import { createHmac } from 'node:crypto';
import type { OpenServer } from '../../../src/sandbox/open-server';
import { SandboxHostApp } from '../../../src/sandbox/partners/sandbox-host-app';
import { SandboxMiniapp } from '../../../src/sandbox/partners/sandbox-miniapp';
import { conform, scenariosIn } from '../../support/service/conform-run';
import { answer, MutantPartner, type MutantAnswer, type MutantCall, type Mutation } from '../../support/partners/mutant-partner';

const secret = 'a-shared-secret-of-more-than-32-bytes';
const template = '{request_method}.{url}.{client_id}.{timestamp}.{nonce}.{payload}';
const loopback = { host: '127.0.0.1', port: 0 };
const basicOf = (user: string): string => `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;

const macOf = ({ method, target, headers, body }: MutantCall): string =>
  createHmac('sha256', secret)
    .update(`${method}.${target}.cid_1.${String(headers['x-timestamp'])}.${String(headers['x-nonce'])}.`)
    .update(body)
    .digest('base64');

const isSigned = (call: MutantCall): boolean => call.headers['x-signature'] === macOf(call) && call.headers['x-client-id'] === 'cid_1';

function signedAnew(call: MutantCall, change: Readonly<Record<string, string>>): MutantCall {
  const changed = { ...call, headers: { ...call.headers, 'x-client-id': 'cid_1', ...change } };
  return { ...changed, headers: { ...changed.headers, 'x-signature': macOf(changed) } };
}

let nonces = 0;
const freshNonce = (): string => `nonce-of-a-mutant-${String(nonces++)}`;
const nowText = (): string => String(Math.floor(Date.now() / 1000));
const memberOf = (body: Buffer, name: string): unknown => (JSON.parse(body.toString()) as Record<string, unknown>)[name];

/** Each of one mind: a number is a double. */
function throughDoubles(call: MutantCall): MutantCall {
  try {
    return { ...call, body: Buffer.from(JSON.stringify(JSON.parse(call.body.toString()))) };
  } catch {
    return call;
  }
}

/** Deliveries that were seen, and what the last of each payment said. */
const seenIds = new Set<unknown>();
const lastWords = new Map<unknown, unknown>();
const exchanged = new Map<string, Promise<MutantAnswer>>();

type Mutant = readonly [name: string, mutation: Mutation, fails: readonly string[]];

const miniapps: readonly Mutant[] = [
  [
    'takes any user name with the right secret',
    {
      reads: (call) => {
        const [, value = ''] = /^Basic (.*)$/.exec(call.headers.authorization ?? '') ?? [];
        const given = Buffer.from(value, 'base64').toString();
        return given.endsWith(`:${secret}`) ? { ...call, headers: { ...call.headers, authorization: basicOf('app_abc123') } } : call;
      },
    },
    ['credentials.wrong-user'],
  ],
  [
    'refuses a delivery that came before',
    {
      instead: ({ headers: { 'webhook-id': id } }) => {
        if (id === undefined || !seenIds.has(id)) return void seenIds.add(id);
        return answer(409, { error_code: 'DUPLICATE', error_message: 'Seen before' });
      },
    },
    ['webhook.repeat', 'webhook.later-attempt', 'webhook.parallel'],
  ],
  [
    'lets the last result win',
    {
      answers: (answered, { target, body, headers }) => {
        if (target === '/webhook' && answered.status === 200 && headers['webhook-id'] !== undefined && answered.body.toString() === '{}')
          lastWords.set(memberOf(body, 'order_payment_id'), memberOf(body, 'payment_status'));
        const [, id] = /^\/sandbox\/orders\/(.*)$/.exec(target) ?? [];
        return lastWords.has(id)
          ? { ...answered, body: Buffer.from(answered.body.toString().replace('"paid"', `"${String(lastWords.get(id))}"`)) }
          : answered;
      },
    },
    ['webhook.first-holds'],
  ],
  ['reads numbers as doubles', { reads: throughDoubles }, ['webhook.digits', 'events.digits']],
  [
    'refuses with pages',
    { answers: (answered) => (answered.status >= 400 ? answer(answered.status, '<h1>No</h1>', 'text/html') : answered) },
    ['answers.error-body', 'answers.error-body-credentials', 'answers.error-body-json'],
  ],
  [
    'redirects to the path without a slash',
    { instead: ({ target }) => (target.endsWith('/') ? { ...answer(301, ''), headers: { location: target.slice(0, -1) } } : undefined) },
    ['protocol.slash'],
  ],
  [
    'stops reading at 50 KB',
    { instead: ({ body }) => (body.length > 50_000 ? answer(413, { error_code: 'TOO_LARGE', error_message: 'Too large' }) : undefined) },
    ['sign-on.large', 'events.large'],
  ],
];

const signers: readonly Mutant[] = [
  [
    'does not look at the clock',
    {
      reads: (call) =>
        isSigned(call) && /^\d+$/.test(String(call.headers['x-timestamp'])) ? signedAnew(call, { 'x-timestamp': nowText() }) : call,
    },
    ['signature.expired', 'signature.ahead'],
  ],
  ['forgets nonces', { reads: (call) => (isSigned(call) ? signedAnew(call, { 'x-nonce': freshNonce() }) : call) }, ['signature.replayed']],
  [
    'takes Basic in place of a signature',
    {
      reads: (call) =>
        call.headers.authorization === basicOf('app_abc123')
          ? signedAnew(call, { 'x-nonce': freshNonce(), 'x-timestamp': nowText() })
          : call,
    },
    ['signature.basic-instead'],
  ],
];

const hostApps: readonly Mutant[] = [
  [
    'takes a code twice',
    {
      wrap: ({ target, body }, pass) => {
        const code = target === '/oauth/token' ? body.toString() : '';
        if (!code.includes('code_')) return pass();
        const first = exchanged.get(code) ?? pass();
        exchanged.set(code, first);
        return first;
      },
    },
    ['sign-on.used-code', 'sign-on.code-race'],
  ],
  [
    'passes over the Idempotency-Key',
    { reads: ({ headers: { 'idempotency-key': _, ...headers }, ...call }) => ({ ...call, headers }) },
    ['payments.repeat', 'payments.race'],
  ],
  [
    'refuses tokens with 403',
    { answers: (answered) => (answered.status === 401 ? answer(403, { error_code: 'ACCESS_DENIED', error_message: 'No' }) : answered) },
    ['user-data.unknown-token', 'user-data.altered-token', 'user-data.no-token', 'user-data.basic', 'user-data.refresh-token'],
  ],
  [
    'says in_process of a payment that nobody knows',
    {
      answers: (answered) => (answered.body.includes('ORDER_NOT_FOUND') ? answer(200, { payment_status: 'in_process' }) : answered),
    },
    ['status.unknown-payment', 'status.other-app', 'status.long-id'],
  ],
];

let original: OpenServer;
let mutant: MutantPartner | undefined;
const sets = (...values: readonly string[]): string[] => values.flatMap((value) => ['--set', value]);

afterEach(() => mutant?.close());

/** The scenarios that the mutant fails; none may be left out for want of another. */
async function failures(mutation: Mutation, ...args: readonly string[]): Promise<readonly string[]> {
  mutant = await MutantPartner.before(original.url, mutation);
  const run = await conform('--url', mutant.url, '--json', ...args);
  const scenarios = scenariosIn(run);
  expect(scenarios.filter(({ verdict }) => verdict === 'not_run')).toEqual([]);
  const failed = scenarios.filter(({ verdict }) => verdict === 'failed');
  for (const { reason, fix, came } of failed)
    expect([reason, fix, came[0]]).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  expect(run.code).toBe(1);
  return failed.map(({ id }) => id);
}

describe('a miniapp that', () => {
  beforeAll(async () => {
    const miniapp = new SandboxMiniapp();
    miniapp.trust({ user: 'app_abc123', secret, ownId: 'app_abc123' });
    original = await miniapp.start(loopback);
  });
  afterAll(() => original.close());

  it.each(miniapps)('%s fails exactly there', async (_name, mutation, fails) => {
    const set = sets('app_id=app_abc123', `secret_key=${secret}`);
    expect(await failures(mutation, '--role', 'miniapp', ...set)).toEqual(fails);
  });
});

describe('a miniapp with signatures that', () => {
  beforeAll(async () => {
    const miniapp = new SandboxMiniapp();
    const signature = { algorithm: 'HMAC', key: secret, apiClientId: 'cid_1', payloadTemplate: template, urlForm: 'path' } as const;
    miniapp.trust({ user: 'app_abc123', secret, ownId: 'app_abc123', signature });
    original = await miniapp.start(loopback);
  });
  afterAll(() => original.close());

  it.each(signers)('%s fails exactly there', async (_name, mutation, fails) => {
    const signature = JSON.stringify({
      ...{ algorithm: 'HMAC', api_client_id: 'cid_1', hmac_secret: secret },
      ...{ payload_template: template, nonce_length: 32, url_form: 'path' },
    });
    const set = sets('app_id=app_abc123', `secret_key=${secret}`, `signature:=${signature}`);
    expect(await failures(mutation, '--role', 'miniapp', ...set)).toEqual(fails);
  });
});

describe('a host app that', () => {
  beforeAll(async () => {
    const hostApp = new SandboxHostApp();
    hostApp.trust({ user: 'platform', secret, ownId: 'host_abc123def456' });
    original = await hostApp.start(loopback);
  });
  afterAll(() => original.close());

  it.each(hostApps)('%s fails exactly there', async (_name, mutation, fails) => {
    const set = sets('client_id=host_abc123def456', 'host_app_client_id=platform', `host_app_secret_key=${secret}`);
    expect(await failures(mutation, '--role', 'host-app', ...set)).toEqual(fails);
  });
});
