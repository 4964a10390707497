import { type Verdict, verdictWords } from './conformance-model';

const marks: Readonly<Record<Verdict, readonly [mark: string, color: string]>> = {
  passed: ['●', 'var(--mantine-color-teal-6)'],
  failed: ['✕', 'var(--mantine-color-red-6)'],
  not_run: ['▲', 'var(--mantine-color-yellow-7)'],
  not_applicable: ['–', 'var(--mantine-color-gray-6)'],
};
const maxShown = 10;

/** Results of a scenario in the last runs, latest on the right, each with a mark of its own besides the colour. */
export function VerdictDots({ verdicts }: { readonly verdicts: readonly (Verdict | undefined)[] }) {
  const shown = verdicts.filter((verdict) => verdict !== undefined).slice(0, maxShown);
  if (shown.length < 2) return null;
  const words = shown.map((verdict) => verdictWords[verdict]).join(', ');
  return (
    <span role="img" aria-label={`Last runs, the latest first: ${words}`} title={words} style={{ letterSpacing: 2, fontSize: 10 }}>
      {[...shown].reverse().map((verdict, i) => (
        <span key={i} style={{ color: marks[verdict][1] }}>
          {marks[verdict][0]}
        </span>
      ))}
    </span>
  );
}
