import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aPairOver, type Pair } from '../support/signatures/a-pair';
import { SigningPartner } from '../support/signatures/signing-partner';
import { medianTurn, maxTurnMs } from './longest-turn';
import { rawCall, type RawRequest } from './raw-call';
import { startWatched, type WatchedService } from './watched-service';

const base = 'http://platform.example';
const signer = SigningPartner.withSecret('hostile-values-0123456789-abcdefghijklmnop');

const nested = JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`) as unknown;
const made: Readonly<Record<string, (count: number) => unknown>> = {
  members: (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${String(i)}`, 1])),
  numbers: (count) => Array(count).fill(1),
  objects: (count) => Array(count).fill({}),
  arrays: (count) => Array(Math.floor(count / 30)).fill(nested),
};
const valuesOf = (name: string, count: number): string => JSON.stringify(made[name]?.(count));
/** As many as custom attributes of 64 KiB take. Of nested arrays, the costliest, 36 kB. */
const few: Readonly<Record<string, number>> = { members: 5_000, numbers: 30_000, objects: 20_000, arrays: 18_000 };
/** As many as an answer takes. */
const mostInAnswer = 49_000;

interface Hostile {
  /** What the partners answer by the path that was called. */
  readonly answers: Readonly<Record<string, string>>;
  readonly requests: Readonly<Record<string, () => RawRequest>>;
}

/** Calls with such values in the request and, many more, in what the partner answers. */
function hostileCalls({ clientId, appId, basic }: Pair, name: string): Hostile {
  const count = few[name] ?? 0;
  const value = valuesOf(name, count);
  const many = valuesOf(name, mostInAnswer - count);
  const ids = `"client_id":"${clientId}","app_id":"${appId}"`;
  const attributes = `"custom_attributes":{"a":${value}}`;
  const payment = `"order_payment_id":"op-${name}"`;
  const call = (path: string, members: string, by: 'host app' | 'miniapp' | 'nobody') => (): RawRequest => {
    const body = Buffer.from(`{${ids},${members},"b":${value},"c":${value}}`);
    const signed = { method: 'POST', url: `${base}/api/v1/${path}/`, payload: body, at: Date.now() };
    const credentials = { 'host app': basic, miniapp: signer.headers(signed), nobody: {} }[by];
    const headers = Object.entries({ 'Content-Type': 'application/json', ...credentials });
    return { method: 'POST', target: `/api/v1/${path}/`, headers, body };
  };
  return {
    answers: {
      '/token': `{"access_token":"t","refresh_token":"r","x":${many}}`,
      '/user': `{"reference":"u","email":"a@b.example",${attributes},"x":${many}}`,
      '/auth': `{"auth_token":"t","x":${many}}`,
      '/create': `{${payment},"x":${many}}`,
      '/status': `{${ids},${payment},"payment_status":"in_process",${attributes},"x":${many}}`,
      '/webhook': `{"ok":true,"x":${many}}`,
      '/events': `{"ok":true,"x":${many}}`,
    },
    requests: {
      connect: call('connect', `"user_data":{"reference":"u",${attributes}}`, 'host app'),
      // The answer to a code is kept for a while, so each call has one of its own.
      authorize: () => call('authorize', `"auth_code":"${randomUUID()}"`, 'nobody')(),
      create: call('orders/create-order-payment', `"order":{"currency":"USD","amount":"1","hostapp_user_id":"u","a":${value}}`, 'miniapp'),
      status: call('orders/get-payment-status', payment, 'miniapp'),
      complete: call('orders/complete-order', `${payment},"payment_status":"paid",${attributes}`, 'host app'),
      event: call('events/miniapp', `"event_type":"x","payload":{"a":${value}}`, 'miniapp'),
    },
  };
}

let service: WatchedService;
let partners: Server;
let pair: Pair;
let answers: Hostile['answers'] = {};

beforeAll(async () => {
  partners = createServer((request, response) => {
    request.resume();
    response.setHeader('Content-Type', 'application/json').end(answers[request.url ?? '']);
  });
  await once(partners.listen(0, '127.0.0.1'), 'listening');
  const at = `http://127.0.0.1:${String((partners.address() as AddressInfo).port)}`;
  service = await startWatched(process.env['HOSTILE_BUILD']);
  const orders = { create_order_payment_url: `${at}/create`, get_order_payment_status_url: `${at}/status` };
  pair = await aPairOver(`http://127.0.0.1:${String(service.port)}`, {
    ...{ hostAppUrl: at, miniappUrl: at, hostApp: { ...orders, events_bridge_url: `${at}/events` } },
    miniapp: { webhook_url: `${at}/webhook`, signature: signer.settings },
  });
}, 120_000);
afterAll(async () => {
  await service.stop();
  partners.close();
});

it.each(Object.keys(few))(
  'many %s in a body and an answer are relayed without a turn of 50 ms of processor time',
  async (name) => {
    const hostile = hostileCalls(pair, name);
    ({ answers } = hostile);
    const [slow, refused] = [[] as string[], [] as string[]];
    for (const [call, request] of Object.entries(hostile.requests)) {
      const { ms, result: answer } = await medianTurn(service, () => rawCall(service.port, request()));
      if (ms > maxTurnMs) slow.push(`${call}: ${ms.toFixed(0)} ms`);
      if (answer.status !== 200) refused.push(`${call}: ${String(answer.status)} ${answer.body.slice(0, 200)}`);
    }
    expect({ slow, refused }).toEqual({ slow: [], refused: [] });
  },
  120_000,
);

it.each(Object.keys(few))(
  'many %s as attributes of a user are refused without a turn of 50 ms of processor time',
  async (name) => {
    const hostile = hostileCalls(pair, name);
    answers = {
      ...hostile.answers,
      '/user': `{"reference":"u","email":"a@b.example","custom_attributes":{"a":${valuesOf(name, mostInAnswer)}}}`,
    };
    const { ms, result: answer } = await medianTurn(service, () => rawCall(service.port, hostile.requests['authorize']!()));
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('INVALID_USER_DATA') as string });
    expect(ms).toBeLessThanOrEqual(maxTurnMs);
  },
  120_000,
);

it.each(Object.keys(few).filter((name) => name !== 'members'))(
  'more %s in an answer than allowed are refused without a turn of 50 ms',
  async (name) => {
    const hostile = hostileCalls(pair, name);
    answers = { ...hostile.answers, '/create': `{"order_payment_id":"p","x":${valuesOf(name, 200_000)}}` };
    const { ms, result: answer } = await medianTurn(service, () => rawCall(service.port, hostile.requests['create']!()));
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('FAILED_TO_PARSE_RESPONSE') as string });
    expect(ms).toBeLessThanOrEqual(maxTurnMs);
  },
  120_000,
);

it('a refusal with 48,000 members is relayed without a turn of 50 ms of processor time', async () => {
  const hostile = hostileCalls(pair, 'members');
  const members = Array.from({ length: 48_000 }, (_, i) => `"${i.toString(36)}":1`);
  answers = { '/create': `{"error_code":"SOLD_OUT",${members.join()}}` };
  const { ms, result: answer } = await medianTurn(service, () => rawCall(service.port, hostile.requests['create']!()));
  expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('SOLD_OUT') as string });
  expect(ms).toBeLessThanOrEqual(maxTurnMs);
}, 120_000);

it('an exception of 500,000 control characters is cleaned and relayed without a turn of 50 ms', async () => {
  const hostile = hostileCalls(pair, 'members');
  answers = { '/create': `{"error_code":"SOLD_OUT","exception":"${String.raw`\n`.repeat(500_000)}x"}` };
  const { ms, result: answer } = await medianTurn(service, () => rawCall(service.port, hostile.requests['create']!()));
  expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('"exception":"x"') as string });
  expect(ms).toBeLessThanOrEqual(maxTurnMs);
}, 120_000);

it('thirty refusals of 48,000 attributes at once take no turn of 50 ms of processor time', async () => {
  const hostile = hostileCalls(pair, 'members');
  answers = { '/create': `{"error_code":"SOLD_OUT","custom_attributes":${valuesOf('members', 48_000)}}` };
  const create = hostile.requests['create']!;
  const { ms, result } = await medianTurn(service, () => Promise.all(Array.from({ length: 30 }, () => rawCall(service.port, create()))));
  expect(new Set(result.map(({ status }) => status))).toEqual(new Set([400]));
  expect(ms).toBeLessThanOrEqual(maxTurnMs);
}, 120_000);
