import { request } from 'node:http';
import { refusalEnv, refusalPairs, type Probe, type RefusalPair } from '../../support/signatures/refusal-pairs';
import { startTestService, type TestService } from '../../support/service/service';
import { StubPartner } from '../../support/partners/stub-partner';

let service: TestService;
let hostApp: StubPartner;
let pairs: RefusalPair[];
beforeAll(async () => {
  service = await startTestService({ env: refusalEnv });
  hostApp = await new StubPartner().start();
  pairs = await refusalPairs(service, hostApp);
});
afterAll(async () => {
  await hostApp.stop();
  await service.close();
});

/** The whole answer as text, to the byte but for what counts on: its date, the calls left. The request id is given, so that it is the same. */
function answerTo({ path, headers, body }: Probe): Promise<{ text: string; ms: number }> {
  const all = { 'Content-Type': 'application/json', 'X-Request-Id': 'the-same', ...headers };
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const sent = request(`${service.url}${path}`, { method: 'POST', headers: all }, (reply) => {
      const parts = [String(reply.statusCode), String(reply.statusMessage), ...reply.rawHeaders];
      reply.setEncoding('utf8').on('data', (piece: string) => parts.push(piece));
      reply.once('end', () =>
        resolve({
          text: parts.join('\n').replace(/\n(Date|RateLimit-Remaining|RateLimit-Reset)\n.*/g, ''),
          ms: performance.now() - startedAt,
        }),
      );
    });
    sent.once('error', reject).end(body);
  });
}

describe('refusals that must not be told apart', () => {
  it('are the same answer, to the byte', async () => {
    expect(pairs.length).toBeGreaterThanOrEqual(26);
    for (const { name, answer, probes } of pairs) {
      const [status, code] = answer;
      const answers = [];
      for (const probe of probes) answers.push((await answerTo(probe())).text);
      expect([name, answers[0]!.startsWith(`${String(status)}\n`), answers[0]!.includes(`"${code}"`)]).toEqual([name, true, true]);
      expect([name, ...new Set(answers)]).toEqual([name, answers[0]]);
    }
  });

  it('leave no sooner than one would that had to be looked up', async () => {
    const basic = pairs.filter(({ answer: [, code] }) => code === 'ACCESS_DENIED');
    for (const { name, probes } of basic) {
      const { ms } = await answerTo(probes[1]());
      expect([name, ms >= 9]).toEqual([name, true]);
    }
  });
});
