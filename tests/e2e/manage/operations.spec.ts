import { instanceRules } from '../../../src/domain/operations/instance';
import { startTestService, type TestService, until } from '../../support/service/service';

let service: TestService;
afterEach(() => service.close());

describe('the operator and the service itself', () => {
  it('sees the instance, and what it stands on', async () => {
    service = await startTestService();
    const listed = await until(
      () => service.manage('GET', 'operations/instances'),
      ({ body }) => body.data.length === 1,
    );
    expect(listed.status).toBe(200);
    expect(listed.body).toMatchObject({ next_cursor: null, announced_every_ms: instanceRules.everyMs });
    const [instance] = listed.body.data;
    expect(instance).toMatchObject({
      ...{ version: expect.stringMatching(/^\d+\.\d+\.\d+/), role: 'serving', state: 'serving' },
      pool: { max: 10, open: expect.any(Number), in_use: expect.any(Number), waiting: expect.any(Number) },
      event_loop_delay_ms: { p50: expect.any(Number), p99: expect.any(Number), max: expect.any(Number) },
      shed: { first: 0, next: 0, last: 0 },
    });
    expect(instance.memory_bytes).toBeGreaterThan(10_000_000);
    expect((await service.manage('GET', `operations/instances/${instance.id}`)).body).toMatchObject({ id: instance.id });
    expect((await service.manage('GET', 'operations/instances/nobody')).status).toBe(404);

    const { body: stands } = await service.manage('GET', 'operations/database');
    expect(stands.database.migrations).toMatchObject({ pending: [], unknown: [] });
    expect(stands.database.migrations.applied).toContain('Operations1795737611000');
    const { body: limits } = await service.manage('GET', 'operations/limits');
    expect(limits.data).toContainEqual({ limit: 'authorize', allowed: 6000, subjects: 0, busiest: 0, reached: 0 });
  });

  it('sees the backlog now and over time', async () => {
    service = await startTestService();
    const { body } = await until(
      () => service.manage('GET', 'operations/backlog'),
      ({ body: found }) => found.data.length > 0,
    );
    expect(body).toMatchObject({ now: { waiting: 0, oldest_ms: 0, late_ms: 0, at_least: false } });
    expect(body.data[0]).toMatchObject({ waiting: 0, oldest_ms: 0, late_ms: 0 });
    expect((await service.manage('GET', 'operations/backlog?from=2026-01-01T00:00:00Z&to=2026-06-01T00:00:00Z')).status).toBe(400);
    expect((await service.manage('GET', 'operations/backlog?colour=red')).status).toBe(400);
  });

  it('drains an instance once, with a reason in the audit trail', async () => {
    let requests = 0;
    service = await startTestService({
      onDrain: () => {
        requests++;
      },
    });
    const { body } = await until(
      () => service.manage('GET', 'operations/instances'),
      (found) => found.body.data.length === 1,
    );
    const path = `operations/instances/${body.data[0].id}/drain`;
    expect((await service.manage('POST', path, { reason: '' })).status).toBe(400);
    const drained = await service.manage('POST', path, { reason: 'new kernel' });
    expect([drained.status, drained.body.state]).toEqual([202, 'draining']);
    expect((await service.manage('POST', path)).status).toBe(404);
    const { body: audit } = await service.manage('GET', 'audit?action=instance.drain-requested');
    expect(audit.data).toMatchObject([
      { actor: 'operator', before: { state: 'serving' }, after: { state: 'draining', reason: 'new kernel' } },
    ]);
    await until(
      async () => requests,
      (times) => times === 1,
      2 * instanceRules.everyMs,
    );
  }, 20_000);

  it('shows which key seals what, and re-encrypts everything while it serves', async () => {
    const [old, next] = ['k1', 'k2'].map((id, i) => `${id}:${Buffer.alloc(32, 7 + i).toString('base64')}`);
    const first = await startTestService({ env: { ENCRYPTION_KEYS: old! } });
    for (let i = 0; i < 3; i++) await first.manage('POST', 'miniapps', { name: `Shop ${String(i)}` });
    service = await startTestService({ database: first.database, env: { ENCRYPTION_KEYS: `${next!},${old!}` } });
    const before = (await service.manage('GET', 'encryption-keys')).body.data;
    expect(before).toMatchObject([
      { id: 'k2', first: true, known: true },
      { id: 'k1', first: false, known: true },
    ]);
    expect(before[1].values).toBeGreaterThanOrEqual(3);
    const started = await service.manage('POST', 'encryption-keys/rewraps', { reason: 'yearly' });
    expect([started.status, started.body.state, started.body.key]).toEqual([202, 'running', 'k2']);
    const done = await until(
      () => service.manage('GET', `encryption-keys/rewraps/${started.body.id}`),
      ({ body }) => body.state !== 'running',
    );
    expect(done.body).toMatchObject({ state: 'done', others: [] });
    expect(done.body.columns).toHaveLength(done.body.columns_of);
    const [, spent] = (await service.manage('GET', 'encryption-keys')).body.data;
    expect(spent).toMatchObject({ id: 'k1', values: 0 });
    expect((await service.manage('GET', 'encryption-keys/rewraps')).body.data).toHaveLength(1);
    const tooLate = await service.manage('POST', `encryption-keys/rewraps/${started.body.id}/cancel`);
    expect([tooLate.status, tooLate.body.state, tooLate.body.cancel_requested]).toEqual([200, 'done', false]);
    expect((await service.manage('POST', 'encryption-keys/rewraps/none/cancel')).status).toBe(404);
    await service.close();
    service = first;
  }, 20_000);
});
