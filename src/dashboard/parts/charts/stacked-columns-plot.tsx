import { useId } from 'react';
import { Bar, BarChart, CartesianGrid, ReferenceArea, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useZone } from '../use-zone';
import { xAxisStyle, yAxisStyle } from './axis-style';
import { axisText, type TimeChartProps } from './chart-model';
import { tipOf } from './chart-tip';
import styles from './charts.module.css';
import { Legend } from './legend';
import { PatternDefs, patternUrl } from './pattern-defs';
import { markLabel } from './mark-label';
import { chartWords, axisLabel, rowsOf } from './time-axis';
import { useZoom } from './use-zoom';

interface ColumnsProps extends TimeChartProps {
  /** Labelled points, such as a percentile in a histogram. */
  readonly marks?: readonly { readonly at: number | string; readonly title: string }[];
}

/** See the file of the same name without `-plot`. */
export default function StackedColumnsPlot({ marks = [], ...props }: ColumnsProps) {
  const { series, points, valueText, height = 220 } = props;
  const [zone] = useZone();
  const of = useId().replaceAll(/[^A-Za-z0-9]/g, '');
  const { drawn, handlers } = useZoom(props);
  const text = (at: number | string): string => axisLabel(at, zone, props.isByDay);
  const margin = { top: marks.length > 0 ? 20 : 8, right: 8, bottom: 0, left: 0 };
  return (
    <div className={styles.plot} role="img" aria-label={chartWords(series, points, valueText)}>
      <ResponsiveContainer width="100%" height={height}>
        <BarChart data={rowsOf(points)} margin={margin} {...handlers} accessibilityLayer={false}>
          <PatternDefs series={series} of={of} />
          <CartesianGrid vertical={false} stroke="var(--chart-grid)" />
          <XAxis tickFormatter={text} {...xAxisStyle(points)} />
          <YAxis width={44} tickFormatter={axisText} allowDecimals={false} {...yAxisStyle} />
          <Tooltip isAnimationActive={false} cursor={cursor} content={tipOf(props, text)} />
          {series.map(({ name }) => (
            <Bar key={name} dataKey={name} stackId="all" fill={patternUrl(of, name)} isAnimationActive={false} maxBarSize={36} />
          ))}
          {marks.map(({ at, title }) => (
            <ReferenceLine key={title} x={at} stroke="var(--chart-text)" strokeDasharray="4 3" label={markLabel(title)} />
          ))}
          {drawn && <ReferenceArea x1={drawn[0]} x2={drawn[1]} fill="var(--chart-1)" fillOpacity={0.15} />}
        </BarChart>
      </ResponsiveContainer>
      <Legend series={series} as="area" />
    </div>
  );
}

const cursor = { fill: 'var(--chart-grid)', opacity: 0.6 };
