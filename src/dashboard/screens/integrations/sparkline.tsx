import '../../parts/charts/charts.css';
import { totalOf, type TrafficSlot } from '../../parts/figures/figures';
import { plural } from '../../parts/plural';

const [width, height] = [132, 30];

/** Requests over time in a few pixels, failed ones on top. */
export function Sparkline({ series }: { readonly series: readonly TrafficSlot[] }) {
  const max = Math.max(1, ...series.map(totalOf));
  const step = width / Math.max(1, series.length);
  const all = series.reduce((sum, slot) => sum + totalOf(slot), 0);
  const failed = all - series.reduce((sum, { ok }) => sum + ok, 0);
  const words = `${plural(all, 'request')} in this range, ${failed.toLocaleString('en')} failed`;
  return (
    <svg width={width} height={height} role="img" aria-label={words}>
      <title>{words}</title>
      <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} stroke="var(--mantine-color-default-border)" />
      {series.map((slot, i) => {
        const whole = (totalOf(slot) / max) * (height - 2);
        const good = (slot.ok / max) * (height - 2);
        return (
          <g key={slot.at} transform={`translate(${String(i * step)} 0)`}>
            <rect y={height - good} width={Math.max(1, step - 1)} height={good} fill="var(--chart-ok)" />
            <rect y={height - whole} width={Math.max(1, step - 1)} height={whole - good} fill="var(--chart-partner)" />
          </g>
        );
      })}
    </svg>
  );
}
