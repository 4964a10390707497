import { useZone } from '../use-zone';
import styles from './charts.module.css';
import { plainText } from './chart-model';
import { Drawing } from './drawing';
import { placeText } from './time-axis';

interface HeatMapProps {
  /** The columns: milliseconds since the epoch, or words. */
  readonly columns: readonly (number | string)[];
  /** The rows, from the bottom up. */
  readonly rows: readonly string[];
  /** Of a column and a row, by number. */
  readonly valueAt: (column: number, row: number) => number;
  /** The unit: "requests". */
  readonly what: string;
  readonly onPick?: (column: number, row: number) => void;
}

const [left, bottom, least] = [64, 22, 22];
/** As high as the other charts, in pixels, or higher where there are many rows. */
const usualHeight = 220;

/** How many by column and row: the darker the more; the numbers are in the pointer's note and in the table. */
export function HeatMap(props: HeatMapProps) {
  const rowHeight = Math.max(least, (usualHeight - bottom) / Math.max(1, props.rows.length));
  const height = props.rows.length * rowHeight + bottom;
  return (
    <Drawing height={height} title={`${props.what} by time and row`}>
      {(width) => <HeatCells {...props} height={height} rowHeight={rowHeight} cell={(width - left) / Math.max(1, props.columns.length)} />}
    </Drawing>
  );
}

/** `cell` is the width of one, in pixels. */
function HeatCells({
  columns,
  rows,
  valueAt,
  what,
  onPick,
  height,
  rowHeight,
  cell,
}: HeatMapProps & { readonly height: number; readonly rowHeight: number; readonly cell: number }) {
  const [zone] = useZone();
  const most = Math.max(1, ...columns.flatMap((_, x) => rows.map((_row, y) => valueAt(x, y))));
  const every = Math.ceil(90 / Math.max(1, cell));
  return (
    <>
      {rows.map((row, y) => (
        <text key={row} x={left - 8} y={height - bottom - y * rowHeight - rowHeight / 2 + 4} textAnchor="end">
          {row}
        </text>
      ))}
      {columns.map((at, x) => (
        <g key={at} transform={`translate(${String(left + x * cell)} 0)`}>
          {x % every === 0 && <text y={height - 6}>{placeText(at, zone)}</text>}
          {rows.map((row, y) => {
            const value = valueAt(x, y);
            const words = `${placeText(at, zone)}, ${row}: ${plainText(value)} ${what}`;
            const place = { y: height - bottom - (y + 1) * rowHeight + 1, width: Math.max(1, cell - 1), height: rowHeight - 1 };
            const pick = value > 0 && onPick ? () => onPick(x, y) : undefined;
            return <HeatCell key={row} {...place} share={value / most} words={words} onPick={pick} />;
          })}
        </g>
      ))}
    </>
  );
}

interface HeatCellProps {
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** From 0 to 1. */
  readonly share: number;
  readonly words: string;
  readonly onPick: (() => void) | undefined;
}

function HeatCell({ share, words, onPick, ...place }: HeatCellProps) {
  const shade =
    share === 0
      ? 'var(--chart-grid)'
      : `color-mix(in oklab, var(--chart-1) ${String(Math.round(18 + 82 * Math.sqrt(share)))}%, var(--mantine-color-body))`;
  const picks = onPick && { role: 'button', tabIndex: 0, 'aria-label': words, onClick: onPick, className: styles.cell ?? '' };
  return (
    <rect
      {...place}
      rx={2}
      fill={shade}
      opacity={share === 0 ? 0.45 : 1}
      {...picks}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onPick?.();
      }}
    >
      <title>{words}</title>
    </rect>
  );
}
