import { CartesianGrid, Line, LineChart, ReferenceArea, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useZone } from '../use-zone';
import { levelLabel, xLook, yLook } from './axis-look';
import { axisText, type TimeChartProps } from './chart-model';
import { tipOf } from './chart-tip';
import styles from './charts.module.css';
import { Legend } from './legend';
import { colorAt, dashAt } from './palette';
import { placeText, rowsOf } from './time-axis';
import { useZoom } from './use-zoom';

interface LinesProps extends TimeChartProps {
  /** A level to be reached or kept below. */
  readonly target?: { readonly value: number; readonly title: string };
  /** The ends of the y axis; from 0 where absent. */
  readonly domain?: readonly [number, number];
}

/** As the file's twin without `-plot` says. */
export default function LinesPlot({ target, domain, ...props }: LinesProps) {
  const { series, points, valueText = axisText, height = 220 } = props;
  const [zone] = useZone();
  const { drawn, handlers } = useZoom(props);
  const text = (at: number | string): string => placeText(at, zone, props.isByDay);
  const ends = domain ? { domain: [...domain], allowDataOverflow: true } : {};
  return (
    <div className={styles.plot} role="img" aria-label={series.map(({ title }) => title).join(', ')}>
      <ResponsiveContainer width="100%" height={height}>
        <LineChart data={rowsOf(points)} margin={{ ...margin, top: target ? 20 : 8 }} {...handlers} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--chart-grid)" />
          <XAxis tickFormatter={text} {...xLook(points)} />
          <YAxis width={52} tickFormatter={valueText} {...yLook} {...ends} />
          <Tooltip isAnimationActive={false} content={tipOf({ ...props, valueText }, text)} />
          {target && <ReferenceLine y={target.value} {...targetLook} label={levelLabel(target.title)} />}
          {series.map(({ name, color }, i) => (
            <Line
              key={name}
              dataKey={name}
              stroke={colorAt(i, color)}
              strokeDasharray={dashAt(i)}
              {...look}
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
/** A ring, though the line may be dashed. */
const wholeDot = { strokeDasharray: '0' };
const look = { strokeWidth: 2, connectNulls: false, isAnimationActive: false };
const targetLook = { stroke: 'var(--chart-text)', strokeDasharray: '4 4' };
