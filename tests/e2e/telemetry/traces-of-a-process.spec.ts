import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceProcess } from '../../support/service/service-process';
import { hangBeforeHeaders } from '../../support/partners/stub-behaviours';
import { StubCollector } from '../../support/service/stub-collector';

let collector: StubCollector;
let folder: string;
beforeEach(async () => {
  collector = await new StubCollector().start();
  folder = mkdtempSync(join(tmpdir(), 'pierhead-traces-'));
});
afterEach(async () => {
  await collector.stop();
  rmSync(folder, { recursive: true, force: true });
});

const tracesTo = ({ url }: StubCollector) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });

/** A service that is called once and then stopped: what of packages it had loaded, and how long the stop took. */
async function calledOnce(env: Record<string, string>) {
  const list = join(folder, 'files');
  const probe = join(__dirname, '../../support/service/loaded-files.cjs');
  const service = await startServiceProcess({
    ...{ DATA_DIR: join(folder, 'data'), LOADED_FILES: list, NODE_OPTIONS: `--require ${probe}`, ...env },
  });
  const answer = await fetch(`${service.url}/api/v1/connect/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_id: 'nobody', app_id: 'nothing', user_data: { reference: 'r' } }),
  });
  expect(answer.status).toBe(401);
  const stopAt = performance.now();
  const code = await service.end('SIGTERM');
  const stopMs = performance.now() - stopAt;
  const files = readFileSync(list, 'utf8').split('\n');
  return { code, stopMs, packages: files.map((file) => /^(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file) };
}

describe('a process of the service', () => {
  it('loads no tracing code unless it is configured', async () => {
    const { code, packages } = await calledOnce({});
    expect([code, packages.includes('express')]).toEqual([0, true]);
    expect(packages.filter((name) => name.startsWith('@opentelemetry/'))).toEqual([]);
  });

  it('sends waiting spans before it ends, with the names and headers of the environment', async () => {
    const { code, packages } = await calledOnce({
      ...tracesTo(collector),
      ...{ OTEL_SERVICE_NAME: 'pierhead-eu', OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=trial' },
      ...{ OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=abc' },
    });
    expect([code, packages.includes('@opentelemetry/sdk-trace')]).toEqual([0, true]);
    expect(collector.spans().map(({ name }) => name)).toEqual(['POST /api/v1/connect']);
    expect(collector.resource()).toMatchObject({ 'service.name': 'pierhead-eu', 'deployment.environment.name': 'trial' });
    expect(collector.store[0]?.headers['x-api-key']).toBe('abc');
  });

  it('ends in order, and in time, while its collector hangs', async () => {
    collector.always(hangBeforeHeaders);
    const { code, stopMs } = await calledOnce(tracesTo(collector));
    expect(code).toBe(0);
    expect(collector.store).toHaveLength(1);
    expect(stopMs).toBeLessThan(10_000);
  });
});
