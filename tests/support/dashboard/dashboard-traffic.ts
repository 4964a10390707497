import type { DevelopmentService } from '../service/development-service';

type Json = Readonly<Record<string, unknown>>;

/** Calls the manage API of a development service as its operator. */
export async function manageOf(service: DevelopmentService, method: string, path: string, body?: object): Promise<Json> {
  const answer = await fetch(`${service.url}/manage/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${service.operatorToken}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Json);
}

/** Waits until the reading is right; 60 s at most. */
export async function settled(read: () => Promise<Json>, isRight: (found: Json) => boolean): Promise<Json> {
  const giveUpAt = Date.now() + 60_000;
  for (;;) {
    const found = await read();
    if (isRight(found)) return found;
    if (Date.now() > giveUpAt) throw new Error(`It did not come: ${JSON.stringify(found).slice(0, 500)}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Real traffic of the simulated partners: the demo's walk, then the shop's conformance and a fault here and there. */
export async function seedTraffic(service: DevelopmentService): Promise<void> {
  const manage = (method: string, path: string, body?: object) => manageOf(service, method, path, body);
  await runDemoOnce(service);
  const run = await manage('POST', 'conformance/runs', { role: 'miniapp', client_id: 'host_sandbox00001', app_id: 'app_sandbx' });
  await settled(
    () => manage('GET', `conformance/runs/${String(run['id'])}`),
    ({ state }) => state !== 'running',
  );
  const dials = { delay_ms: 40, error_percent: 35, malformed_percent: 10, refused_percent: 10, hang_percent: 0, seed: 7 };
  await manage('PUT', 'sandbox/partners/host-app/dials', dials);
  await runDemoOnce(service);
  await manage('PUT', 'sandbox/partners/host-app/dials', { delay_ms: 0 });
  await runDemoOnce(service);
}

async function runDemoOnce(service: DevelopmentService): Promise<void> {
  await manageOf(service, 'POST', 'sandbox/demo');
  await settled(
    () => manageOf(service, 'GET', 'sandbox/demo'),
    ({ state }) => state !== 'running',
  );
}
