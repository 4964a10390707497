import { scoreOf, type Report } from '../run-scenarios';

/** Approximate width in px for Verdana at 11 px. */
const widthOf = (text: string): number => Math.ceil(text.length * 6.6) + 14;

/** The score as an SVG badge. */
export function badge(report: Report): string {
  const { passed, counted } = scoreOf(report);
  const [label, value] = ['Pierhead conformance', `${report.role} ${String(passed)}/${String(counted)}`];
  const [left, right] = [widthOf(label), widthOf(value)];
  const colour = passed === counted && counted > 0 ? '#1a7f4b' : passed * 10 >= counted * 9 ? '#9a6700' : '#b42318';
  const text = (content: string, x: number): string => `<text x="${String(x)}" y="14" fill="#fff" text-anchor="middle">${content}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${String(left + right)}" height="20" role="img" aria-label="${label}: ${value}">
<title>${label}: ${value}</title>
<clipPath id="r"><rect width="${String(left + right)}" height="20" rx="4"/></clipPath>
<g clip-path="url(#r)"><rect width="${String(left)}" height="20" fill="#24303f"/><rect x="${String(left)}" width="${String(right)}" height="20" fill="${colour}"/></g>
<g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(label, left / 2)}${text(value, left + right / 2)}</g>
</svg>
`;
}
