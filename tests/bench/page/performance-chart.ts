import type { CallFigures, FigureReader } from './figures';

const width = 760;
const labels = 210;
const values = 150;
const row = 26;
const top = 64;
const bar = 14;

/** Read on a light page and on a dark one. */
const style = `
    text { font: 13px system-ui, sans-serif; fill: #1f2933 }
    .title { font-size: 15px; font-weight: 600 }
    .service { fill: #1d6fb8 } .database { fill: #d9822b } .other { fill: #8796a5 }
    @media (prefers-color-scheme: dark) { text { fill: #e4e7eb } .service { fill: #5aa9e6 } .database { fill: #f0a860 } }
  `;

export const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
/** Lists of a hundred records would make everything else too short to be seen. */
const isShown = ({ name }: CallFigures): boolean => name !== 'analytics-list';

/** The processor time of each call, and of it at its peers, as bars: the server's part and the database's. */
export function chartOf({ calls }: FigureReader): string {
  const shown = calls?.all.filter(isShown) ?? [];
  const longest = Math.max(0.001, ...shown.map(({ cpuMs, databaseMs }) => cpuMs + databaseMs));
  const perMs = (width - labels - values) / longest;
  const height = top + shown.length * row + 16;
  const bars = shown.map((call, index) => barOf(call, top + index * row, perMs));
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Processor time of each call">`,
    `  <style>${style}</style>`,
    '  <text class="title" x="12" y="24">Processor time of a request, in milliseconds</text>',
    ...legend(),
    ...bars,
    '</svg>',
  ].join('\n')}\n`;
}

function legend(): string[] {
  const entries = [
    ['service', 'service'],
    ['other', 'peers'],
    ['database', 'database'],
  ] as const;
  return entries.flatMap(([name, label], index) => [
    `  <rect class="${name}" x="${labels + index * 150}" y="36" width="12" height="12" rx="2"/>`,
    `  <text x="${labels + 18 + index * 150}" y="47">${label}</text>`,
  ]);
}

function barOf({ name, peer, cpuMs, databaseMs }: CallFigures, y: number, perMs: number): string {
  const [own, database] = [cpuMs * perMs, databaseMs * perMs];
  const part = (className: string, x: number, long: number): string =>
    `<rect class="${className}" x="${x.toFixed(1)}" y="${y}" width="${Math.max(1, long).toFixed(1)}" height="${bar}" rx="2"/>`;
  const parts = [part(peer ? 'other' : 'service', labels, own)];
  if (databaseMs >= 0.005) parts.push(part('database', labels + own, database));
  const label = databaseMs >= 0.005 ? `${cpuMs.toFixed(2)} + ${databaseMs.toFixed(2)}` : cpuMs.toFixed(2);
  const end = labels + own + (databaseMs >= 0.005 ? database : 0);
  return [
    `  <text x="12" y="${y + 12}">${escaped(peer ? `${name}: ${peer}` : name)}</text>`,
    `  ${parts.join('')}`,
    `  <text x="${(end + 8).toFixed(1)}" y="${y + 12}">${label}</text>`,
  ].join('\n');
}
