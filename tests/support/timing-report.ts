import { randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import { refusalEnv, refusalPairs, type Probe, type RefusalPair } from './signatures/refusal-pairs';
import { startTestService } from './service/service';
import { StubPartner } from './partners/stub-partner';

// Measures, and asserts nothing of time: run by `npm run report:timing`, printed for people (AUC 0.45 to 0.55).
// TIMING_ROUNDS: calls of each kind, 5000; TIMING_ONLY: a part of the names of the pairs to be measured.

const rounds = Number(process.env['TIMING_ROUNDS'] ?? 5000);
const only = process.env['TIMING_ONLY'] ?? '';
const warmUp = 300;

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

/** Refusals that leave at a fixed time are waited for, several at once; all others are measured one by one. */
const queuesOf = ({ answer: [, code] }: RefusalPair): number => (code === 'ACCESS_DENIED' ? 4 : 1);
const agent = new Agent({ keepAlive: true });

function timeOf(url: string, { path, headers, body }: Probe, [status, code]: RefusalPair['answer']): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const sent = request(
      `${url}${path}`,
      { method: 'POST', agent, headers: { 'Content-Type': 'application/json', ...headers } },
      (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        reply.once('end', () => {
          const took = performance.now() - began;
          if (reply.statusCode === status && text.includes(`"${code}"`)) resolve(took);
          else reject(new Error(`Not the one answer: ${String(reply.statusCode)} ${text}`));
        });
      },
    );
    sent.once('error', reject).end(body);
  });
}

/** One line: in random order, so that drift is alike for all three. */
async function measure(url: string, pair: RefusalPair): Promise<string> {
  const { name, answer, probes } = pair;
  const times: [number[], number[], number[]] = [[], [], []];
  let round = -warmUp;
  const queue = async (): Promise<void> => {
    while (round < rounds) {
      const counts = round++ >= 0;
      for (const which of orders[randomInt(orders.length)]!) {
        const took = await timeOf(url, probes[which](), answer);
        if (counts) times[which].push(took);
      }
    }
  };
  await Promise.all(Array.from({ length: queuesOf(pair) }, queue));
  const [a, b, control] = times;
  const [measured, noise] = [auc(a, b), auc(a, control)];
  const verdict = measured >= 0.45 && measured <= 0.55 ? '' : '   OUTSIDE 0.45 to 0.55';
  return `${name}: AUC ${measured.toFixed(3)}, control ${noise.toFixed(3)}; medians ${median(a)} and ${median(b)} ms${verdict}`;
}

describe('how long refusals take', () => {
  it('is printed', async () => {
    const service = await startTestService({ env: refusalEnv });
    const hostApp = await new StubPartner().start();
    try {
      process.stdout.write(`${String(rounds)} calls of each kind\n`);
      for (const pair of await refusalPairs(service, hostApp)) {
        if (pair.name.includes(only)) process.stdout.write(`${await measure(service.url, pair)}\n`);
      }
    } finally {
      agent.destroy();
      await hostApp.stop();
      await service.close();
    }
  }, 3_600_000);
});
