interface MarkLabelProps {
  readonly viewBox?: { readonly x?: number; readonly y?: number } | undefined;
}

/** Pixels between a mark and its label. */
const gap = 4;

/** The label of a mark, above the plot and to the right of its line: centred over the first bar it would cover the axis numbers. */
export const markLabel = (words: string) =>
  function MarkLabel({ viewBox }: MarkLabelProps) {
    const { x = 0, y = 0 } = viewBox ?? {};
    return (
      <text x={x} y={y - gap} fill="var(--chart-text)" fontSize={11} textAnchor="start">
        {words}
      </text>
    );
  };
