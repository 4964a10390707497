import { watchDeliveries, type ListedDelivery } from '../../../src/composition/listen/watch-deliveries';
import { ManageCallFailed, type ManageAnswer } from '../../../src/sandbox/manage-calls';

const listed = (id: string, more: Partial<ListedDelivery> = {}): ListedDelivery => ({
  ...{ id, kind: 'completion', receiver: 'miniapp', created_at: '2026-01-01T12:00:00.000Z' },
  ...more,
});
const page = (...data: ListedDelivery[]): ManageAnswer => ({ status: 200, body: { data, next_cursor: null } });

/** Watches a service that answers as told, each time once; ends when it has nothing more to say. */
async function watched(answers: readonly (ManageAnswer | Error)[], since?: number) {
  const stopping = new AbortController();
  const left = [...answers];
  const paths: string[] = [];
  const states: string[] = [];
  const send = async (_method: string, path: string): Promise<ManageAnswer> => {
    paths.push(path);
    const next = left.shift();
    if (left.length === 0) stopping.abort();
    if (next instanceof Error) throw next;
    return next ?? page();
  };
  const seen: string[] = [];
  const watch = { manage: { send }, filter: { app_id: 'app_1' }, since, stopping: stopping.signal, everyMs: 1 };
  for await (const { id } of watchDeliveries({ ...watch, onAway: () => states.push('away'), onBack: () => states.push('back') }))
    seen.push(id);
  return { seen, paths, states };
}

describe('watching deliveries', () => {
  it('shows each new delivery once, the oldest first', async () => {
    const { seen } = await watched([page(listed('old')), page(listed('b'), listed('a'), listed('old')), page(listed('b'), listed('a'))]);
    expect(seen).toEqual(['a', 'b']);
  });

  it('begins with the deliveries since the given time, page by page', async () => {
    const first = { status: 200, body: { data: [listed('c'), listed('b')], next_cursor: 'b' } };
    const { seen, paths } = await watched([first, page(listed('a'))], Date.UTC(2026, 0, 1, 11));
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(paths[0]).toContain('from=2026-01-01T11%3A00%3A00.000Z');
    expect(paths[1]).toContain('cursor=b');
  });

  it('tells again of what the operator sends again', async () => {
    const again = listed('a', { resent_at: '2026-01-01T13:00:00.000Z' });
    expect((await watched([page(listed('a')), page(again), page(again)])).seen).toEqual(['a']);
  });

  it('waits while the service is away, says so once, and goes on', async () => {
    const gone = [new TypeError('fetch failed'), { status: 503, body: undefined }];
    const { seen, states } = await watched([page(), ...gone, page(listed('a')), page(listed('b'), listed('a'))]);
    expect([seen, states]).toEqual([
      ['a', 'b'],
      ['away', 'back'],
    ]);
  });

  it('ends where the service refuses', async () => {
    await expect(watched([new ManageCallFailed('GET deliveries: 401')])).rejects.toThrow('401');
  });
});
