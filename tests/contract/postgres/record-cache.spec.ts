import { RecordCache, type Loaded } from '../../../src/adapters/out/postgres/partners/record-cache';

describe('RecordCache', () => {
  let now: number;
  let loads: { readonly key: string; readonly known: Loaded<string> | undefined }[];
  let answer: () => Promise<Loaded<string>>;
  /** Whether the feed covers readings. */
  let covers: (readAt: number) => boolean;
  /** The requested stamps, and the answer. */
  let checks: (readonly string[])[];
  let rowVersionOf: (key: string) => Promise<string | undefined>;
  let cache: RecordCache<string>;
  beforeEach(() => {
    now = 0;
    loads = [];
    answer = () => Promise.resolve({ record: 'record', rowVersion: '1' });
    const load = (key: string, known: Loaded<string> | undefined) => {
      loads.push({ key, known });
      return answer();
    };
    covers = () => false;
    checks = [];
    rowVersionOf = () => Promise.resolve('1');
    const rowVersions = (keys: readonly string[]) => {
      checks.push(keys);
      return Promise.all(keys.map(rowVersionOf));
    };
    cache = new RecordCache({ load, rowVersions }, { feed: { covers: (readAt) => covers(readAt) }, now: () => now });
  });

  it('reads once for concurrent callers, and for a second after', async () => {
    await Promise.all(Array.from({ length: 100 }, () => cache.get('a')));
    now = 999;
    expect(await cache.get('a')).toBe('record');
    expect(loads).toHaveLength(1);
    now = 1000;
    await Promise.all([cache.get('a'), cache.get('a')]);
    expect(loads).toHaveLength(2);
    expect(loads[1]?.known).toMatchObject({ record: 'record', rowVersion: '1' });
  });

  it('counts the second from before the reading', async () => {
    answer = () => {
      now += 600;
      return Promise.resolve({ record: 'slow', rowVersion: '1' });
    };
    await cache.get('a');
    now += 400;
    await cache.get('a');
    expect(loads).toHaveLength(2);
  });

  it('keeps no failure', async () => {
    answer = () => Promise.reject(new Error('away'));
    await expect(Promise.all([cache.get('a'), cache.get('a')])).rejects.toThrow('away');
    answer = () => Promise.resolve({ record: 'back', rowVersion: '1' });
    expect(await cache.get('a')).toBe('back');
    expect(loads).toHaveLength(2);
  });

  it('does not return an expired record when a read fails', async () => {
    await cache.get('a');
    now = 1000;
    answer = () => Promise.reject(new Error('away'));
    await expect(cache.get('a')).rejects.toThrow('away');
  });

  it('keeps records, however many unknown names are looked up', async () => {
    await cache.get('a');
    answer = () => Promise.resolve({});
    for (let i = 0; i < 12_000; i++) await cache.get(`stranger_${String(i)}`);
    const before = loads.length;
    expect(await cache.get('a')).toBe('record');
    expect(loads).toHaveLength(before);
  });

  it('knows that there is none', async () => {
    answer = () => Promise.resolve({});
    expect(await cache.get('a')).toBeUndefined();
    expect(await cache.get('a')).toBeUndefined();
    expect(loads).toHaveLength(1);
  });

  it('reads nothing again while the feed covers it, for up to a minute', async () => {
    covers = () => true;
    await cache.get('a');
    now = 59_999;
    await cache.get('a');
    expect(loads).toHaveLength(1);
    now = 60_000;
    await cache.get('a');
    expect(loads).toHaveLength(2);
  });

  describe('that looks again beside the calls', () => {
    const names = ['a', 'b', 'c'];
    beforeEach(async () => {
      covers = () => true;
      for (const name of names) await cache.get(name);
    });

    it('checks used records older than half a minute, together', async () => {
      now = 29_999;
      await cache.get('a');
      now = 30_000;
      for (const name of ['b', 'c', 'b']) expect(await cache.get(name)).toBe('record');
      await cache.checkDue();
      expect(checks).toEqual([['b', 'c']]);
      now = 89_999;
      for (const name of names) await cache.get(name);
      expect(loads.map(({ key }) => key)).toEqual([...names, 'a']);
      now = 90_000;
      await cache.get('b');
      expect(loads).toHaveLength(5);
    });

    it('reads changed and removed records again', async () => {
      now = 30_000;
      for (const name of names) await cache.get(name);
      rowVersionOf = (name) => Promise.resolve({ a: '1', b: '2' }[name]);
      await cache.checkDue();
      for (const name of names) await cache.get(name);
      expect(loads.slice(3)).toEqual(['b', 'c'].map((key) => ({ key, known: undefined })));
    });

    it('leaves a record at its age if the check fails, and checks again', async () => {
      now = 30_000;
      await cache.get('a');
      rowVersionOf = () => Promise.reject(new Error('away'));
      await cache.checkDue();
      await cache.get('a');
      await cache.checkDue();
      expect(checks).toEqual([['a'], ['a']]);
      now = 60_000;
      await cache.get('a');
      expect(loads).toHaveLength(4);
    });

    it('does not bring back what a change overtook', async () => {
      now = 30_000;
      await cache.get('a');
      answer = () => Promise.resolve({ record: 'new', rowVersion: '2' });
      let finish: () => void = () => undefined;
      rowVersionOf = () => new Promise((resolve) => (finish = () => resolve('1')));
      const checking = cache.checkDue();
      cache.forget('a');
      expect(await cache.get('a')).toBe('new');
      finish();
      await checking;
      expect(await cache.get('a')).toBe('new');
      expect(loads).toHaveLength(4);
    });

    it('evicts the least recently used record if there are more than 25,000', async () => {
      now = 30_000;
      await cache.get('a');
      await cache.checkDue();
      for (let n = 0; n < 24_999; n++) await cache.get(`m${n}`);
      const before = loads.length;
      await cache.get('a');
      expect(loads).toHaveLength(before);
      await cache.get('b');
      expect(loads).toHaveLength(before + 1);
    });

    it('asks for 256 stamps at once at most', async () => {
      const many = Array.from({ length: 600 }, (_, n) => `m${n}`);
      for (const name of many) await cache.get(name);
      now = 30_000;
      for (const name of many) await cache.get(name);
      await cache.checkDue();
      expect(checks.map((keys) => keys.length)).toEqual([256, 256, 88]);
    });
  });

  it('checks a record older than a second by its row version if the feed no longer covers it', async () => {
    now = 10;
    covers = (readAt) => readAt >= 10;
    await cache.get('a');
    now = 5000;
    await cache.get('a');
    expect(loads).toHaveLength(1);
    covers = (readAt) => readAt >= 6000;
    await cache.get('a');
    expect(loads.map(({ known }) => known?.rowVersion)).toEqual([undefined, '1']);
  });

  it('does not join or keep a read that began more than a second ago', async () => {
    const finish: ((loaded: Loaded<string>) => void)[] = [];
    answer = () => new Promise((resolve) => finish.push(resolve));
    const slow = cache.get('a');
    now = 1000;
    const later = cache.get('a');
    expect(loads).toHaveLength(2);
    finish[0]?.({ record: 'old', rowVersion: '1' });
    finish[1]?.({ record: 'new', rowVersion: '2' });
    expect(await Promise.all([slow, later])).toEqual(['new', 'new']);
    expect(await cache.get('a')).toBe('new');
  });

  it('repeats a read that was in flight when the record was invalidated', async () => {
    let finish: (loaded: Loaded<string>) => void = () => undefined;
    answer = () => new Promise((resolve) => (finish = resolve));
    const overtaken = cache.get('a');
    cache.forget('a');
    const finishOld = finish;
    answer = () => Promise.resolve({ record: 'new', rowVersion: '2' });
    expect(await cache.get('a')).toBe('new');
    finishOld({ record: 'old', rowVersion: '1' });
    expect(await overtaken).toBe('new');
    expect(await cache.get('a')).toBe('new');
  });

  it('forgets those that are chosen', async () => {
    for (const key of ['a1', 'a2', 'b1']) await cache.get(key);
    cache.forgetWhere((key) => key.startsWith('a'));
    for (const key of ['a1', 'a2', 'b1']) await cache.get(key);
    expect(loads.map(({ key }) => key)).toEqual(['a1', 'a2', 'b1', 'a1', 'a2']);
  });
});
