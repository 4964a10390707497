interface LabelPlace {
  readonly viewBox?: { readonly x?: number; readonly y?: number } | undefined;
}

/** Pixels between a mark and its words. */
const gap = 4;

/** The words of a mark, above the plot from its line on: centred over the first bar they would lie on the numbers of the axis. */
export const markLabel = (words: string) =>
  function MarkLabel({ viewBox }: LabelPlace) {
    const { x = 0, y = 0 } = viewBox ?? {};
    return (
      <text x={x} y={y - gap} fill="var(--chart-text)" fontSize={11} textAnchor="start">
        {words}
      </text>
    );
  };
