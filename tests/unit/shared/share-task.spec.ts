import { Secret } from '../../../src/domain/shared/secret';
import { SharedTasks } from '../../../src/domain/shared/tasks/share-task';
import { refusal } from '../../../src/domain/shared/errors';
import { MemorySharedTaskStore } from '../../../src/adapters/out/memory/sso/memory-shared-task-store';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';

const key = { purpose: 'auth-code', key: 'k' } as const;

/** Two instances over one store; waiting moves the clock and lets others run. */
function twoInstances() {
  const clock = new ManualClock();
  const store = new MemorySharedTaskStore({ clock, ids: new CountingIds() });
  const pause = async (ms: number) => {
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  const sharedTasks = () => new SharedTasks({ store, clock, pause });
  return { clock, store, one: sharedTasks(), other: sharedTasks(), limits: { leaseMs: 60_000, deadline: clock.now() + 30_000 } };
}

function gate<T>() {
  let open!: (value: T) => void;
  let slam!: (error: Error) => void;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    slam = reject;
  });
  return { promise, open, slam };
}

describe('SharedTasks', () => {
  it('does the work once for many in one process and over two instances', async () => {
    const { one, other, limits } = twoInstances();
    let runs = 0;
    const work = async () => {
      runs++;
      await new Promise(setImmediate);
      return { value: new Secret('v'), ttlMs: 60_000 };
    };
    const all = [one, other, one, other, one].map((sharedTasks) => sharedTasks.run(key, limits, work));
    const values = await Promise.all(all);
    expect(values.map((value) => value.reveal())).toEqual(['v', 'v', 'v', 'v', 'v']);
    expect(runs).toBe(1);
  });

  it('shares a failure, with its code and details, with all who wait for it', async () => {
    const { one, other, limits } = twoInstances();
    const { promise, slam } = gate<{ value: Secret; ttlMs: number }>();
    const first = one.run(key, limits, () => promise);
    await new Promise(setImmediate);
    const second = other.run(key, limits, () => Promise.reject(new Error('must not run')));
    slam(refusal('partner-refused', 'INVALID_AUTH_CODE', { side: 'hostapp', step: 'exchange' }));
    await expect(first).rejects.toMatchObject({ code: 'INVALID_AUTH_CODE' });
    await expect(second).rejects.toMatchObject({
      kind: 'partner-refused',
      code: 'INVALID_AUTH_CODE',
      details: { side: 'hostapp', step: 'exchange' },
    });
    const third = await other.run(key, limits, () => Promise.resolve({ value: new Secret('again'), ttlMs: 1000 }));
    expect(third.reveal()).toBe('again');
  });

  it('gives up at the deadline while another instance still works', async () => {
    const { one, other, limits } = twoInstances();
    const { promise, open } = gate<{ value: Secret; ttlMs: number }>();
    const first = one.run(key, limits, () => promise);
    await new Promise(setImmediate);
    await expect(other.run(key, limits, () => promise)).rejects.toMatchObject({
      kind: 'partner-unreachable',
      details: { cause: 'timeout' },
    });
    open({ value: new Secret('late'), ttlMs: 1000 });
    expect((await first).reveal()).toBe('late');
  });

  it('takes over a run whose lease ran out', async () => {
    const { clock, store, other } = twoInstances();
    await store.claim(key, 50);
    const value = await other.run(key, { leaseMs: 50, deadline: clock.now() + 30_000 }, () =>
      Promise.resolve({ value: new Secret('mine'), ttlMs: 1000 }),
    );
    expect(value.reveal()).toBe('mine');
  });

  it('keeps what landed for its time and no longer', async () => {
    const { clock, one, other, limits } = twoInstances();
    await one.run(key, limits, () => Promise.resolve({ value: new Secret('kept'), ttlMs: 60_000 }));
    clock.advance(59_999);
    expect((await other.run(key, { ...limits, deadline: clock.now() + 1 }, () => Promise.reject(new Error('must not run')))).reveal()).toBe(
      'kept',
    );
    clock.advance(2);
    const fresh = await other.run(key, limits, () => Promise.resolve({ value: new Secret('fresh'), ttlMs: 60_000 }));
    expect(fresh.reveal()).toBe('fresh');
  });

  it('shares an internal fault without its message', async () => {
    const { one, other, limits } = twoInstances();
    const { promise, slam } = gate<{ value: Secret; ttlMs: number }>();
    const first = one.run(key, limits, () => promise).catch((error: unknown) => error);
    await new Promise(setImmediate);
    const second = other.run(key, limits, () => promise).catch((error: unknown) => error);
    await new Promise(setImmediate);
    slam(new Error('password is hunter2'));
    await first;
    expect(await second).toMatchObject({ kind: 'fault', code: 'UNKNOWN_ERROR', message: 'Unknown error' });
  });
});
