import { get } from 'node:http';

/** One line of a scrape. */
export interface Scraped {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What stands at the metrics' port: the text, and its lines understood. Fails where a line is none of the format. */
export async function scrapeAt(port: number): Promise<{ readonly text: string; readonly lines: readonly Scraped[] }> {
  const text = await new Promise<string>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/metrics', agent: false }, (response) => {
      response.setEncoding('utf8');
      let body = '';
      response.on('data', (piece: string) => (body += piece)).on('end', () => resolve(body));
    }).on('error', reject);
  });
  return { text, lines: linesOf(text) };
}

const lineForm = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (-?[0-9.e+-]+|\+Inf)$/;

function linesOf(text: string): readonly Scraped[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name = '', labels = '', value = ''] = lineForm.exec(line) ?? [];
    if (name === '') throw new Error(`No line of Prometheus' text format: ${line}`);
    return {
      name,
      labels: Object.fromEntries([...labels.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, key, labelValue]) => [key, labelValue])),
      value: Number(value),
    };
  });
}

/** The scraped metrics, their histograms by one name. */
export const metricNames = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));

/** The sum of the series of a metric that have these labels. */
export const totalOf = (lines: readonly Scraped[], name: string, labels: Readonly<Record<string, string>> = {}): number =>
  lines
    .filter((one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
