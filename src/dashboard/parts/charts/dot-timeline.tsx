import './charts.css';
import { distanceWords, lengthWords } from '../time-words';
import { Drawing } from './drawing';

export interface Dot {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly tone: 'good' | 'warn' | 'bad' | 'planned';
  /** Description, such as "attempt 3: 500 in 84 ms". */
  readonly words: string;
}

const toneStyles = {
  good: ['var(--chart-ok)', '✓'],
  warn: ['var(--chart-partner)', '!'],
  bad: ['var(--chart-platform)', '×'],
  planned: ['none', ''],
} as const;

const [height, pad] = [74, 22];
/** Pixels for one word below the axis. */
const tickWidth = 56;
const tickMs = [0, 1000, 10_000, 60_000, 600_000, 3_600_000, 21_600_000, 86_400_000, 604_800_000];

interface DotTimelineProps {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly dots: readonly Dot[];
  readonly title: string;
}

/** Attempts on a logarithmic time axis that starts at `from`; planned ones are hollow. */
export function DotTimeline({ from, dots, title }: DotTimelineProps) {
  return (
    <Drawing height={height} title={title}>
      {(width) => <Dots from={from} dots={dots} width={width} />}
    </Drawing>
  );
}

function Dots({ from, dots, width }: Pick<DotTimelineProps, 'from' | 'dots'> & { readonly width: number }) {
  const last = Math.max(1000, ...dots.map(({ at }) => at - from));
  const x = (ms: number): number => pad + ((width - 2 * pad) * Math.log1p(Math.max(0, ms) / 1000)) / Math.log1p(last / 1000);
  const ticks: number[] = [];
  for (const ms of tickMs) if (ms <= last && (ms === 0 || x(ms) - x(ticks.at(-1) ?? 0) >= tickWidth)) ticks.push(ms);
  return (
    <>
      <line x1={pad} x2={width - pad} y1={30} y2={30} stroke="var(--chart-grid)" strokeWidth={2} />
      {ticks.map((ms) => (
        <text key={ms} x={x(ms)} y={66} textAnchor="middle">
          {ms === 0 ? 'queued' : `+${lengthWords(ms)}`}
        </text>
      ))}
      {dots.map((dot) => (
        <DotMark key={`${String(dot.at)} ${dot.words}`} dot={dot} x={x(dot.at - from)} />
      ))}
    </>
  );
}

function DotMark({ dot: { at, tone, words }, x }: { readonly dot: Dot; readonly x: number }) {
  const [color, mark] = toneStyles[tone];
  const isPlanned = tone === 'planned';
  return (
    <g transform={`translate(${String(x)} 30)`} role="img" aria-label={words}>
      <title>{`${words}, ${distanceWords(at, Date.now())}`}</title>
      <circle
        r={9}
        fill={color}
        stroke={isPlanned ? 'var(--chart-text)' : color}
        strokeWidth={2}
        {...(isPlanned && { strokeDasharray: '3 2' })}
      />
      <text y={4} textAnchor="middle" fill="var(--mantine-color-body)" fontWeight={700} fontSize={12}>
        {mark}
      </text>
    </g>
  );
}
