import { readFileSync } from 'node:fs';
import { keptFigures, type CallFigures, type FigureReader } from './figures';
import { chartOf } from './performance-chart';
import { chartFile, pageFile, pageWith } from './performance-page';
import { overRounds } from '../round';
import { callRows, peerRows } from './tables';
import { targetsOf } from './targets';

const round = { perSecond: 1000, p50: 1, p99: 2, cpuMs: 1, databaseMs: 0.1, loadMs: 0.1, errors: 0 };
const call = (name: string, figures: Partial<CallFigures>): CallFigures => ({ ...round, name, credential: 'Basic', ...figures });
const machine = { cpu: 'a processor', cores: 2, memoryGb: 4, system: 'linux', node: '20', postgres: '15', loadBefore: 0 };

const withCalls = (...all: CallFigures[]): FigureReader => ({
  calls: {
    ...{ rounds: 3, seconds: 5, connections: 64, load: 'wrk', machine, all, day: '2026-01-01' },
  },
});

const valuesOf = (figures: FigureReader, what: string): readonly unknown[] =>
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

  it('has peers in a colour of their own', () => {
    const bars = (of: Partial<CallFigures>): number => chartOf(withCalls(call('connect-basic', of))).split('<rect class="other"').length;
    expect(bars({ peer: 'tuned' })).toBe(bars({}) + 1);
  });

  it('shows a call beside its twin, and the twin in a table of its own', () => {
    const figures = withCalls(
      call('authorize', { cpuMs: 2, against: { tuned: { cpu: 1.51, perSecond: 0.62 } } }),
      call('authorize', { peer: 'tuned', cpuMs: 1.33 }),
    );
    const [, row] = callRows({ ...figures, statements: { of: { authorize: { alone: 3, together: 2.44 } }, day: '2026-01-01' } });
    expect(row).toEqual(['authorize', 'Basic', '2.000', '1.51', '1000', '0.62', '1.0', '2.0', '0.100', '3.0 / 2.4', '', '0']);
    expect(peerRows(figures).slice(1)).toEqual([['authorize', 'tuned', '1.330', '1000', '1.0', '2.0', '0.100', '0']]);
  });
});

describe('a target', () => {
  it('is met at its bound, and not beyond', () => {
    const costing = (cpu: number): FigureReader =>
      withCalls(call('connect-basic', { against: { tuned: { cpu, perSecond: 0.7 }, limit: { cpu: cpu + 1.9, perSecond: 0 } } }));
    expect(valuesOf(costing(1.6), 'connect-basic, CPU')).toEqual([
      ['1.6 × `tuned`', true],
      [undefined, undefined],
      ['3.5 × `limit`', true],
    ]);
    expect(valuesOf(costing(1.61), 'connect-basic, CPU')).toEqual([
      ['1.61 × `tuned`', false],
      [undefined, undefined],
      ['3.51 × `limit`', false],
    ]);
  });

  it('of throughput is a least one', () => {
    const figures = withCalls(
      call('connect-basic', { against: { tuned: { cpu: 1, perSecond: 0.69 } } }),
      call('complete-order', { perSecond: 499 }),
    );
    expect(valuesOf(figures, 'complete-order with')).toEqual([['0.499 × connect', false]]);
    expect(valuesOf(figures, 'connect-basic, requests')).toEqual([['0.69 × `tuned`', false]]);
  });

  it('is neither met nor missed if it was not measured for long enough', () => {
    const memory = { minutes: 1, perSecond: 1, maxMb: 500, lastMb: 500, mbAMinute: 9, day: '2026-01-01' };
    expect(targetsOf({ memory }).filter(({ met, found }) => met !== undefined || found !== undefined)).toEqual([]);
    expect(valuesOf({ memory: { ...memory, minutes: 10 } }, 'memory of')).toEqual([['500 MB', false]]);
  });
});

it('the figures over rounds are medians, and every error counts', () => {
  const rounds = [9, 1, 5].map((cpuMs) => ({ ...round, cpuMs, errors: 1 }));
  expect(overRounds(rounds)).toMatchObject({ cpuMs: 5, perSecond: 1000, errors: 3 });
});
