import { CartesianGrid, Line, LineChart, ReferenceArea, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useZone } from '../use-zone';
import { levelLabel, xAxisStyle, yAxisStyle } from './axis-style';
import { axisText, type TimeChartProps } from './chart-model';
import { tipOf } from './chart-tip';
import styles from './charts.module.css';
import { Legend } from './legend';
import { colorAt, dashAt } from './palette';
import { axisLabel, rowsOf } from './time-axis';
import { useZoom } from './use-zoom';

interface LinesProps extends TimeChartProps {
  /** A level to reach or to stay below. */
  readonly target?: { readonly value: number; readonly title: string };
  /** Ends of the y axis; it starts at 0 when absent. */
  readonly domain?: readonly [number, number];
}

/** See the file of the same name without `-plot`. */
export default function LinesPlot({ target, domain, ...props }: LinesProps) {
  const { series, points, valueText = axisText, height = 220 } = props;
  const [zone] = useZone();
  const { drawn, handlers } = useZoom(props);
  const text = (at: number | string): string => axisLabel(at, zone, props.isByDay);
  const ends = domain ? { domain: [...domain], allowDataOverflow: true } : {};
  return (
    <div className={styles.plot} role="img" aria-label={series.map(({ title }) => title).join(', ')}>
      <ResponsiveContainer width="100%" height={height}>
        <LineChart data={rowsOf(points)} margin={{ ...margin, top: target ? 20 : 8 }} {...handlers} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--chart-grid)" />
          <XAxis tickFormatter={text} {...xAxisStyle(points)} />
          <YAxis width={52} tickFormatter={valueText} {...yAxisStyle} {...ends} />
          <Tooltip isAnimationActive={false} content={tipOf({ ...props, valueText }, text)} />
          {target && <ReferenceLine y={target.value} {...targetStyle} label={levelLabel(target.title)} />}
          {series.map(({ name, color }, i) => (
            <Line
              key={name}
              dataKey={name}
              stroke={colorAt(i, color)}
              strokeDasharray={dashAt(i)}
              {...lineStyle}
              dot={points.filter(({ values }) => typeof values[name] === 'number').length < 3 && wholeDot}
            />
          ))}
          {drawn && <ReferenceArea x1={drawn[0]} x2={drawn[1]} fill="var(--chart-1)" fillOpacity={0.15} />}
        </LineChart>
      </ResponsiveContainer>
      <Legend series={series} as="line" />
    </div>
  );
}

const margin = { right: 8, bottom: 0, left: 0 };
/** Draws the dot as a full ring, even on a dashed line. */
const wholeDot = { strokeDasharray: '0' };
const lineStyle = { strokeWidth: 2, connectNulls: false, isAnimationActive: false };
const targetStyle = { stroke: 'var(--chart-text)', strokeDasharray: '4 4' };
