import { readFileSync } from 'node:fs';
import { keptFigures, type CallFigures, type Figures } from './figures';
import { chartOf } from './performance-chart';
import { chartFile, pageFile, pageWith } from './performance-page';
import { overRounds } from './round';
import { targetsOf } from './targets';

const round = { perSecond: 1000, p50: 1, p99: 2, cpuMs: 1, databaseMs: 0.1, loadMs: 0.1, errors: 0 };
const call = (name: string, figures: Partial<CallFigures>): CallFigures => ({ ...round, name, credential: 'Basic', ...figures });
const machine = { cpu: 'a processor', cores: 2, memoryGb: 4, system: 'linux', node: '20', postgres: '15', loadBefore: 0 };

const withCalls = (...all: CallFigures[]): Figures => ({
  calls: {
    ...{ rounds: 3, seconds: 5, connections: 64, load: 'wrk', machine, all, day: '2026-01-01' },
    verification: { ecdsa: 0.1, rsa2: 0.05 },
  },
});

const judged = (figures: Figures, what: string): readonly unknown[] =>
  targetsOf(figures)
    .filter((target) => target.what.startsWith(what))
    .map(({ found, met }) => [found, met]);

describe('the page', () => {
  const page = readFileSync(pageFile, 'utf8');

  it('holds the figures that are kept, and so does its chart', () => {
    expect(pageWith(page, keptFigures())).toBe(page);
    expect(chartOf(keptFigures())).toBe(readFileSync(chartFile, 'utf8'));
  });

  it('would be refused with another figure in it', () => {
    const others = { ...keptFigures(), ...withCalls(call('connect-basic', { cpuMs: 0.0123 })) };
    expect(pageWith(page, others)).not.toBe(page);
    expect(chartOf(others)).toContain('0.01 + 0.10');
  });

  it.each(['floor', 'floor-ecdsa', 'floor-rsa2', 'limit', 'tuned', 'naive'])('has %s in the colour of what is compared with', (name) => {
    const bars = (of: string): number => chartOf(withCalls(call(of, {}))).split('<rect class="other"').length;
    expect(bars(name)).toBe(bars('connect-basic') + 1);
  });
});

describe('a target', () => {
  it('is met at its bound, and not beyond', () => {
    const costing = (cpuMs: number): Figures =>
      withCalls(call('connect-basic', { cpuMs }), call('tuned', {}), call('limit', { cpuMs: 0.5 }));
    expect(judged(costing(1.5), 'connect with Basic')).toEqual([
      ['1.5 × `tuned`', true],
      ['3 × `limit`', true],
    ]);
    expect(judged(costing(1.51), 'connect with Basic')).toEqual([
      ['1.51 × `tuned`', false],
      ['3.02 × `limit`', false],
    ]);
  });

  it('of throughput is a least one', () => {
    const both = withCalls(call('connect-basic', {}), call('complete-order', { perSecond: 499 }), call('tuned', { perSecond: 1500 }));
    expect(judged(both, 'complete-order')).toEqual([['0.499 × connect', false]]);
    expect(judged(both, 'connect, requests')).toEqual([
      ['0.667 × `tuned`', true],
      [undefined, undefined],
    ]);
  });

  it('allows signatures their verification on top, at what it costs a relay', () => {
    const floors = [call('floor', { cpuMs: 0.5 }), call('floor-ecdsa', { cpuMs: 0.6 }), call('floor-rsa2', { cpuMs: 0.55 })];
    const calls = [call('connect-basic', {}), call('connect-ecdsa', { cpuMs: 1.24 }), call('connect-rsa2', { cpuMs: 1.21 })];
    const signed = withCalls(...floors, ...calls);
    expect(judged(signed, 'connect with ECDSA')).toEqual([[expect.stringContaining('0.992 ×'), true]]);
    expect(judged(signed, 'connect with RSA2')).toEqual([[expect.stringContaining('1.01 ×'), false]]);
  });

  it('is neither met nor missed where nothing was measured, or not for long enough', () => {
    const memory = { minutes: 1, perSecond: 1, mostMb: 500, lastMb: 500, mbAMinute: 9, day: '2026-01-01' };
    expect(targetsOf({ memory }).filter(({ met, found }) => met !== undefined || found !== undefined)).toEqual([]);
    expect(judged({ memory: { ...memory, minutes: 10 } }, 'memory of')).toEqual([['500 MB', false]]);
  });
});

it('the figures over rounds are medians, and every error counts', () => {
  const rounds = [9, 1, 5].map((cpuMs) => ({ ...round, cpuMs, errors: 1 }));
  expect(overRounds(rounds)).toMatchObject({ cpuMs: 5, perSecond: 1000, errors: 3 });
});
