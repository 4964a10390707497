import styles from './charts.module.css';
import { colorAt, dashAt, patternAt } from './palette';
import { PatternDefs, patternUrl } from './pattern-defs';
import type { Series } from './chart-model';

/** Names of the series by colour and pattern or dash. */
export function Legend({ series, as }: { readonly series: readonly Series[]; readonly as: 'area' | 'line' }) {
  if (series.length < 2) return null;
  return (
    <ul className={styles.legend}>
      {series.map(({ name, title, color }, i) => (
        <li key={name}>
          <svg width="18" height="12" aria-hidden="true">
            {as === 'area' && <PatternDefs series={series} of="legend" />}
            {as === 'area' ? (
              <rect width="18" height="12" rx="2" fill={patternUrl('legend', name)} />
            ) : (
              <line x1="0" y1="6" x2="18" y2="6" stroke={colorAt(i, color)} strokeWidth="2.5" strokeDasharray={dashAt(i)} />
            )}
          </svg>
          <span data-pattern={patternAt(i)}>{title}</span>
        </li>
      ))}
    </ul>
  );
}
