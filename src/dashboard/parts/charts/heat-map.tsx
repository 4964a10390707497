import { useZone } from '../use-zone';
import styles from './charts.module.css';
import { plainText } from './chart-model';
import { Drawing } from './drawing';
import { axisLabel } from './time-axis';

interface HeatMapProps {
  /** Columns: milliseconds since the epoch, or words. */
  readonly columns: readonly (number | string)[];
  /** Rows from bottom to top. */
  readonly rows: readonly string[];
  /** The value by column and row index. */
  readonly valueAt: (column: number, row: number) => number;
  /** The unit: "requests". */
  readonly what: string;
  readonly onPick?: (column: number, row: number) => void;
}

const [left, bottom, minCell] = [64, 22, 22];
/** Height of the other charts in pixels; the heat map is higher when it has many rows. */
const usualHeight = 220;

/** Counts by column and row, darker for higher ones. The tooltip and the table show the numbers. */
export function HeatMap(props: HeatMapProps) {
  const rowHeight = Math.max(minCell, (usualHeight - bottom) / Math.max(1, props.rows.length));
  const height = props.rows.length * rowHeight + bottom;
  return (
    <Drawing height={height} title={`${props.what} by time and row`}>
      {(width) => <HeatCells {...props} height={height} rowHeight={rowHeight} cell={(width - left) / Math.max(1, props.columns.length)} />}
    </Drawing>
  );
}

/** `cell`: width of a cell in pixels. */
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
  const max = Math.max(1, ...columns.flatMap((_, x) => rows.map((_row, y) => valueAt(x, y))));
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
          {x % every === 0 && <text y={height - 6}>{axisLabel(at, zone)}</text>}
          {rows.map((row, y) => {
            const value = valueAt(x, y);
            const words = `${axisLabel(at, zone)}, ${row}: ${plainText(value)} ${what}`;
            const box = { y: height - bottom - (y + 1) * rowHeight + 1, width: Math.max(1, cell - 1), height: rowHeight - 1 };
            const pick = value > 0 && onPick ? () => onPick(x, y) : undefined;
            return <HeatCell key={row} {...box} share={value / max} words={words} onPick={pick} />;
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

function HeatCell({ share, words, onPick, ...box }: HeatCellProps) {
  const shade =
    share === 0
      ? 'var(--chart-grid)'
      : `color-mix(in oklab, var(--chart-1) ${String(Math.round(18 + 82 * Math.sqrt(share)))}%, var(--mantine-color-body))`;
  const picks = onPick && { role: 'button', tabIndex: 0, 'aria-label': words, onClick: onPick, className: styles.cell ?? '' };
  return (
    <rect
      {...box}
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
