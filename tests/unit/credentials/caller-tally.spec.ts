import fc from 'fast-check';
import { CallerTally, otherAddresses, type TallyRow } from '../../../src/domain/credentials/caller-tally';

const host = { kind: 'host-app', id: 'same_1' } as const;
const miniapp = { kind: 'miniapp', id: 'same_1' } as const;
const hourMs = 3_600_000;
const value = { fingerprint: 'sha256:0123456789abcdef' } as never;

const call = (address: string, requestId = 'r', partner: typeof host | typeof miniapp = host) =>
  ({ partner, address, outcome: 'admitted', requestId }) as const;
const counts = (rows: readonly TallyRow[]) =>
  rows.map(({ partner, address, hour, admitted, requestId }) => [partner.kind, address, hour / hourMs, admitted, requestId]);

describe('CallerTally', () => {
  it('has one row for each address of a partner in each hour', () => {
    const tally = new CallerTally();
    tally.called(call('192.0.2.1', 'a'), hourMs - 1);
    tally.called(call('192.0.2.1', 'b'), hourMs);
    tally.called(call('192.0.2.1', 'c'), hourMs + 1);
    tally.called(call('192.0.2.1', 'd', miniapp), hourMs);
    expect(counts(tally.drain())).toEqual([
      ['host-app', '192.0.2.1', 0, 1, 'a'],
      ['host-app', '192.0.2.1', 1, 2, 'c'],
      ['miniapp', '192.0.2.1', 1, 1, 'd'],
    ]);
    expect(tally.isEmpty).toBe(true);
  });

  it('begins anew once it was drained', () => {
    const tally = new CallerTally();
    tally.called(call('192.0.2.1'), 0);
    tally.drain();
    tally.called(call('192.0.2.1'), 1);
    expect(tally.drain()).toMatchObject([{ admitted: 1, lastAt: 1 }]);
  });

  it('has only the addresses that called since the last drain', () => {
    const tally = new CallerTally();
    tally.called(call('192.0.2.1', 'a'), 0);
    tally.called(call('192.0.2.2', 'b'), 0);
    const first = tally.drain();
    tally.called(call('192.0.2.2', 'c'), 1);
    expect(counts(tally.drain())).toEqual([['host-app', '192.0.2.2', 0, 1, 'c']]);
    expect(counts(first)).toEqual([
      ['host-app', '192.0.2.1', 0, 1, 'a'],
      ['host-app', '192.0.2.2', 0, 1, 'b'],
    ]);
    expect(tally.drain()).toEqual([]);
  });

  it('counts the uses of a value apart from the calls', () => {
    const tally = new CallerTally();
    tally.called(call('192.0.2.1'), 0);
    tally.used({ partner: 'host-app', id: host.id, kind: 'secret_key', value, address: '192.0.2.1' }, 0);
    tally.used({ partner: 'host-app', id: host.id, kind: 'secret_key', value }, 0);
    expect(tally.drain().map(({ credential, admitted }) => [credential?.kind, admitted])).toEqual([
      [undefined, 1],
      ['secret_key', 1],
    ]);
  });

  it('counts alternating addresses and credentials separately', () => {
    const tally = new CallerTally();
    const [first, second] = ['sha256:0000000000000001', 'sha256:0000000000000002'];
    for (let n = 0; n < 6; n++) {
      const address = `192.0.2.${n % 2}`;
      tally.called(call(address), n);
      for (const fingerprint of [first, second]) {
        tally.used({ partner: 'host-app', id: host.id, kind: 'secret_key', value: { fingerprint } as never, address }, n);
      }
      tally.used({ partner: 'host-app', id: host.id, kind: 'hmac_secret', value: { fingerprint: first } as never, address }, n);
    }
    const rows = tally
      .drain()
      .map(({ address, credential, admitted }) => `${address} ${credential?.kind} ${credential?.fingerprint} ${admitted}`);
    const uses = [`undefined undefined`, `secret_key ${first}`, `secret_key ${second}`, `hmac_secret ${first}`];
    expect(rows.sort()).toEqual(['192.0.2.0', '192.0.2.1'].flatMap((address) => uses.map((use) => `${address} ${use} 3`)).sort());
  });

  it('adds restored rows to later calls and keeps the latest call', () => {
    const tally = new CallerTally();
    tally.called(call('192.0.2.1', 'first'), 5);
    const rows = tally.drain();
    tally.called(call('192.0.2.1', 'second'), 7);
    tally.restore(rows);
    tally.called(call('192.0.2.1', 'third'), 9);
    expect(tally.drain()).toMatchObject([{ admitted: 3, lastAt: 9, requestId: 'third' }]);
  });

  it('loses no call, in any order of draining and restoring, while there is room for its row', () => {
    const step = fc.oneof(
      fc.record({ what: fc.constant('call' as const), address: fc.constantFrom('a', 'b', 'c'), hour: fc.nat(2) }),
      fc.record({ what: fc.constantFrom('drain' as const, 'restore' as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const tally = new CallerTally();
        let [made, written, held] = [0, 0, [] as readonly TallyRow[]];
        for (const one of steps) {
          if (one.what === 'call') {
            tally.called(call(one.address), one.hour * hourMs);
            made++;
          } else if (one.what === 'drain') {
            written += held.reduce((sum, { admitted }) => sum + admitted, 0);
            held = tally.drain();
            expect(new Set(held.map(({ address, hour }) => `${address} ${String(hour)}`)).size).toBe(held.length);
          } else {
            tally.restore(held);
            held = [];
          }
        }
        const left = [...held, ...tally.drain()].reduce((sum, { admitted }) => sum + admitted, 0);
        expect(written + left).toBe(made);
      }),
    );
  });

  it('holds 50,000 rows at most, including restored ones', () => {
    const tally = new CallerTally();
    const fill = (): void => {
      for (let n = 0; n < 51_000; n++) tally.called(call('192.0.2.1', 'r', { kind: 'host-app', id: `p${String(n)}` } as never), 0);
    };
    fill();
    const rows = tally.drain();
    expect(rows).toHaveLength(50_000);
    fill();
    tally.restore(rows);
    const both = tally.drain();
    expect(both).toHaveLength(50_000);
    expect(both.every(({ admitted }) => admitted === 2)).toBe(true);
  });

  it('counts 256 addresses of a partner and an hour separately', () => {
    const tally = new CallerTally();
    for (let n = 0; n < 300; n++) tally.called(call(`2001:db8::${n.toString(16)}`), 0);
    const rows = tally.drain();
    expect(rows).toHaveLength(257);
    expect(rows.find(({ address }) => address === otherAddresses)).toMatchObject({ admitted: 44 });
  });
});
