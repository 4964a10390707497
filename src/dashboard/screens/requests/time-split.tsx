import { useId } from 'react';
import '../../parts/charts/charts.css';
import { seriesColors } from '../../parts/charts/palette';
import { PatternDefs, patternUrl } from '../../parts/charts/pattern-defs';
import { queueTitles, msWords, type Lane, type TimelineAnswer } from './request-model';
import styles from './time-split.module.css';

const lanes: readonly Lane[] = ['hostapp', 'platform', 'miniapp'];
/** The same colours as in the latency charts. */
const colors: Readonly<Record<Lane, string>> = { platform: seriesColors[0], hostapp: seriesColors[1], miniapp: seriesColors[2] };
const series = lanes.map((name) => ({ name, title: queueTitles[name], color: colors[name] }));
/** Pixels. */
const height = 18;

/** Each party's share of the time: by colour, pattern and words. */
export function TimeSplit({ split }: { readonly split: TimelineAnswer['split_ms'] }) {
  const of = useId().replaceAll(/[^A-Za-z0-9]/g, '');
  const total = lanes.reduce((sum, lane) => sum + split[lane], 0);
  const share = (lane: Lane): number => (total === 0 ? 0 : (100 * split[lane]) / total);
  const from = (i: number): number => lanes.slice(0, i).reduce((sum, lane) => sum + share(lane), 0);
  return (
    <div>
      <svg width="100%" height={height} className={styles.bar} aria-hidden>
        <PatternDefs series={series} of={of} />
        {lanes.map((lane, i) => (
          <rect key={lane} x={`${String(from(i))}%`} width={`${String(share(lane))}%`} height={height} fill={patternUrl(of, lane)} />
        ))}
      </svg>
      <dl className={styles.lanes}>
        {lanes.map((lane) => (
          <div key={lane} className={styles.lane}>
            <dt>
              <svg width={18} height={12} aria-hidden>
                <rect width={18} height={12} rx={2} fill={patternUrl(of, lane)} />
              </svg>
              {queueTitles[lane]}
            </dt>
            <dd>
              <b>{msWords(split[lane])}</b>
            </dd>
            <dd>{total > 0 && `${String(Math.round(share(lane)))} %`}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
