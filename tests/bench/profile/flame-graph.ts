import type { Frame } from './cpu-profile';
import { escaped } from '../page/performance-chart';

const [width, row, top] = [1200, 17, 34];
/** Narrower boxes cannot be seen, and letters need so many pixels. */
const [least, letter] = [2, 6.2];

const style = `
    text { font: 11px system-ui, sans-serif; fill: #1f2933; pointer-events: none }
    .title { font-size: 14px; font-weight: 600 }
    rect { stroke: #ffffff; stroke-width: .5 }
    .ours { fill: #9cc9ee } .node { fill: #b9d8a4 } .v8 { fill: #d5dbe1 } .library { fill: #f3c58f }
    @media (prefers-color-scheme: dark) {
      .title { fill: #e4e7eb } rect { stroke: #10161d }
      .ours { fill: #5aa9e6 } .node { fill: #8dbb6d } .v8 { fill: #a6b2be } .library { fill: #e0a35c }
    }
  `;

const classOf = (part: string): string => /^(Pierhead|Node|V8)/.exec(part)?.[0].replace('Pierhead', 'ours').toLowerCase() ?? 'library';

interface Placed {
  readonly frame: Frame;
  readonly x: number;
  readonly depth: number;
}

/** A flame graph: callers below, what they call above them, as wide as the time that it took. */
export function flameGraphOf(root: Frame, title: string): string {
  const placed: Placed[] = [];
  const draw = (frame: Frame, x: number, depth: number): void => {
    if (frame.whole * width < least) return;
    placed.push({ frame, x, depth });
    let next = x;
    for (const callee of [...frame.callees].sort((a, b) => b.whole - a.whole)) {
      draw(callee, next, depth + 1);
      next += callee.whole * width;
    }
  };
  draw(root, 0, 0);
  const deepest = Math.max(...placed.map(({ depth }) => depth));
  const height = top + (deepest + 1) * row + 8;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `  <style>${style}</style>`,
    `  <text class="title" x="4" y="20">${escaped(title)}</text>`,
    ...placed.map((one) => boxOf(one, top + (deepest - one.depth) * row)),
    '</svg>',
  ].join('\n')}\n`;
}

function boxOf({ frame: { name, part, whole }, x }: Placed, y: number): string {
  const wide = whole * width;
  const room = Math.floor((wide - 6) / letter);
  const tooltip = `<title>${escaped(`${name} (${part}): ${(whole * 100).toFixed(1)} %`)}</title>`;
  const box = `<rect class="${classOf(part)}" x="${x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="${row - 1}">${tooltip}</rect>`;
  if (room < 3) return `  ${box}`;
  const text = name.length > room ? `${name.slice(0, room - 1)}…` : name;
  return `  ${box}<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escaped(text)}</text>`;
}
