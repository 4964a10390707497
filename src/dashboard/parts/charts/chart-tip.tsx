import styles from './charts.module.css';
import { plainText, type TimeChartProps } from './chart-model';
import { valuesAt } from './time-axis';

type TipSource = Pick<TimeChartProps, 'series' | 'points' | 'valueText'>;

/** The tooltip with the values at the pointer, in the chart library's format. */
export const tipOf = (chart: TipSource, text: (at: number | string) => string) =>
  function tip({ active, label }: { readonly active?: boolean; readonly label?: string | number | undefined }) {
    return active && label !== undefined ? <ChartTip chart={chart} at={label} title={text(label)} /> : null;
  };

function ChartTip({ chart, at, title }: { readonly chart: TipSource; readonly at: number | string; readonly title: string }) {
  const { series, points, valueText = plainText } = chart;
  const values = valuesAt(points, at);
  return (
    <div className={styles.tip}>
      <b>{title}</b>
      <dl>
        {series.map(({ name, title: words }) => {
          const value = values[name];
          return (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{words}</dt>
              <dd>{value === null || value === undefined ? '–' : valueText(value)}</dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}
