import { randomInt } from 'node:crypto';
import { aPair, type Pair } from './a-pair';
import { sealCbc, vectorKey } from './sealed-payload';
import { startTestService, type TestService } from './service';

// Measures, and asserts nothing of time: run by `npm run report:timing`, printed for people (R23: AUC 0.45 to 0.55).

const rounds = 1000;
const warmUp = 300;

/** Two payloads that must not be told apart, and a second of the first kind: what noise alone makes of two equal groups. */
interface Comparison {
  readonly name: string;
  readonly pairs: readonly [Pair, Pair, Pair];
  readonly payloads: readonly [string, string, string];
}

/** How likely it is that one of `b` took longer than one of `a`, ties halved: 0.5 where nobody could tell (Mann-Whitney). */
function auc(a: readonly number[], b: readonly number[]): number {
  const sorted = [...a.map((ms) => ({ ms, ofB: false })), ...b.map((ms) => ({ ms, ofB: true }))].sort((x, y) => x.ms - y.ms);
  let rankSum = 0;
  for (let from = 0; from < sorted.length;) {
    let to = from;
    while (to < sorted.length && sorted[to]!.ms === sorted[from]!.ms) to++;
    const rank = (from + 1 + to) / 2;
    rankSum += rank * sorted.slice(from, to).filter(({ ofB }) => ofB).length;
    from = to;
  }
  return (rankSum - (b.length * (b.length + 1)) / 2) / (a.length * b.length);
}

const median = (times: readonly number[]): string => [...times].sort((x, y) => x - y)[times.length >> 1]!.toFixed(3);

const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

async function timeOf(url: string, { clientId, appId }: Pair, payload: string): Promise<number> {
  const body = JSON.stringify({ client_id: clientId, app_id: appId, payload });
  const began = performance.now();
  const reply = await fetch(`${url}/api/v1/partner/login/`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const text = await reply.text();
  const took = performance.now() - began;
  if (reply.status !== 400 || !text.includes('INVALID_USER_DATA')) throw new Error(`Not the one answer: ${String(reply.status)} ${text}`);
  return took;
}

/** One line: by turns in random order, so that what drifts drifts for all three alike. */
async function measure(url: string, { name, pairs, payloads }: Comparison): Promise<string> {
  const times: [number[], number[], number[]] = [[], [], []];
  for (let round = -warmUp; round < rounds; round++) {
    for (const which of orders[randomInt(orders.length)]!) {
      const took = await timeOf(url, pairs[which], payloads[which]);
      if (round >= 0) times[which].push(took);
    }
  }
  const [a, b, control] = times;
  return `${name}: AUC ${auc(a, b).toFixed(3)}, control ${auc(a, control).toFixed(3)}; medians ${median(a)} and ${median(b)} ms; n = ${rounds}`;
}

const block = (fill: number): Buffer => Buffer.alloc(16, fill);
/** Three blocks of this text, and one of padding. */
const sealed = (text: string, pad: Buffer): string => sealCbc(text.padEnd(48), vectorKey, { pad }).toString('base64');

async function comparisons(service: TestService): Promise<Comparison[]> {
  const pair = await aPair(service, { hostApp: { client_id: 'host_timing000001', secret_key: vectorKey } });
  const revoked = await aPair(service, { hostApp: { client_id: 'host_timing000002', secret_key: vectorKey } });
  await service.manage('POST', `host-apps/${revoked.clientId}/revoke`, { credential: 'secret_key', which: 'current' });
  const [wrongPadding, alsoWrong, garbage] = [sealed('{"a":1', block(0)), sealed('{"a":1', block(17)), sealed('{"a":1', block(16))];
  const here = [pair, pair, pair] as const;
  return [
    { name: 'padding wrong, padding right', pairs: here, payloads: [wrongPadding, garbage, alsoWrong] },
    {
      name: 'not base64, padding wrong',
      pairs: here,
      payloads: [`${wrongPadding.slice(0, -1)}*`, wrongPadding, `*${wrongPadding.slice(1)}`],
    },
    {
      name: 'not JSON, expired',
      pairs: here,
      payloads: [garbage, sealed('{"reference":"u","exp":1}', block(16)), sealed('{"b":2', block(16))],
    },
    { name: 'wrong key, no key', pairs: [pair, revoked, pair], payloads: [wrongPadding, wrongPadding, alsoWrong] },
  ];
}

describe('how long partner/login takes to refuse', () => {
  it('is printed', async () => {
    const service = await startTestService({ env: { RATE_LIMITS: '{"partner/login":1000000,"payload-failure":1000000}' } });
    try {
      for (const one of await comparisons(service)) process.stdout.write(`${await measure(service.url, one)}\n`);
    } finally {
      await service.close();
    }
  }, 600_000);
});
