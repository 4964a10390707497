import styles from './charts.module.css';
import { plainText } from './chart-model';
import { seriesColors } from './palette';

export interface BarItem {
  readonly id: string;
  readonly title: string;
  readonly value: number;
  /** Of the palette. */
  readonly color?: string;
}

interface BarsProps {
  readonly items: readonly BarItem[];
  readonly valueText?: (value: number) => string;
  /** What a bar of the whole length means; absent: the largest value. */
  readonly whole?: number;
  /** A click on a bar: leads to the filtered list. */
  readonly onPick?: (id: string) => void;
}

/** Horizontal bars with their words and numbers. */
export function Bars({ items, valueText = plainText, whole, onPick }: BarsProps) {
  const most = whole ?? Math.max(1, ...items.map(({ value }) => value));
  return (
    <ul className={styles.bars}>
      {items.map(({ id, title, value, color = seriesColors[0] }) => {
        const parts = (
          <>
            <span title={title}>{title}</span>
            <span className={styles.track}>
              <span className={styles.fill} style={{ display: 'block', width: `${String((100 * value) / most)}%`, background: color }} />
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
