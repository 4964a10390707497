import { type Verdict, verdictWords } from './wire';

const marks: Readonly<Record<Verdict, readonly [mark: string, color: string]>> = {
  passed: ['●', 'var(--mantine-color-teal-6)'],
  failed: ['✕', 'var(--mantine-color-red-6)'],
  not_run: ['▲', 'var(--mantine-color-yellow-7)'],
  not_applicable: ['–', 'var(--mantine-color-gray-6)'],
};
const mostShown = 10;

/** How a scenario went in the last runs, the latest on the right; each by its own mark, not by colour alone. */
export function VerdictDots({ verdicts }: { readonly verdicts: readonly (Verdict | undefined)[] }) {
  const told = verdicts.filter((verdict) => verdict !== undefined).slice(0, mostShown);
  if (told.length < 2) return null;
  const words = told.map((verdict) => verdictWords[verdict]).join(', ');
  return (
    <span role="img" aria-label={`Last runs, the latest first: ${words}`} title={words} style={{ letterSpacing: 2, fontSize: 10 }}>
      {[...told].reverse().map((verdict, i) => (
        <span key={i} style={{ color: marks[verdict][1] }}>
          {marks[verdict][0]}
        </span>
      ))}
    </span>
  );
}
