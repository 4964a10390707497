import type { Series } from './chart-model';
import { colorAt, patternAt } from './palette';

export const patternUrl = (of: string, name: string): string => `url(#pattern-${of}-${name})`;

const marks = {
  solid: null,
  stripes: <path d="M-2 2l4-4M0 8l8-8M6 10l4-4" stroke="var(--mantine-color-body)" strokeWidth="1.6" />,
  dots: <circle cx="4" cy="4" r="1.5" fill="var(--mantine-color-body)" />,
  cross: <path d="M0 0l8 8M8 0l-8 8" stroke="var(--mantine-color-body)" strokeWidth="1.2" />,
  back: <path d="M-2 6l4 4M0 0l8 8M6-2l4 4" stroke="var(--mantine-color-body)" strokeWidth="1.6" />,
} as const;

/** Fills of series: a colour with a pattern each. `of` makes the ids unique per chart. */
export function PatternDefs({ series, of }: { readonly series: readonly Series[]; readonly of: string }) {
  return (
    <defs>
      {series.map(({ name, color }, i) => (
        <pattern key={name} id={`pattern-${of}-${name}`} width="8" height="8" patternUnits="userSpaceOnUse">
          <rect width="8" height="8" fill={colorAt(i, color)} />
          {marks[patternAt(i)]}
        </pattern>
      ))}
    </defs>
  );
}
