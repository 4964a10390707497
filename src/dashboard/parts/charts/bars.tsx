import styles from './charts.module.css';
import { plainText } from './chart-model';
import { seriesColors } from './palette';

export interface BarItem {
  readonly id: string;
  readonly title: string;
  readonly value: number;
  /** A colour of the palette. */
  readonly color?: string;
}

interface BarsProps {
  readonly items: readonly BarItem[];
  readonly valueText?: (value: number) => string;
  /** The value of a full-length bar. Absent for the largest value. */
  readonly whole?: number;
  /** Called on a click on a bar, to open the filtered list. */
  readonly onPick?: (id: string) => void;
}

/** Horizontal bars with labels and numbers. */
export function Bars({ items, valueText = plainText, whole, onPick }: BarsProps) {
  const max = whole ?? Math.max(1, ...items.map(({ value }) => value));
  return (
    <ul className={styles.bars}>
      {items.map(({ id, title, value, color = seriesColors[0] }) => {
        const parts = (
          <>
            <span title={title}>{title}</span>
            <span className={styles.track}>
              <span className={styles.fill} style={{ display: 'block', width: `${String((100 * value) / max)}%`, background: color }} />
            </span>
            <span>{valueText(value)}</span>
          </>
        );
        return (
          <li key={id}>
            {onPick ? (
              <button type="button" className={styles.bar} onClick={() => onPick(id)}>
                {parts}
              </button>
            ) : (
              <div className={styles.bar}>{parts}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
