import type { Deviation } from './cause';
import type { TextDeviation } from './filling';
import type { SignatureReading } from './ports';

/** A signature in one interpretation under one key, and the mistake that it would prove. */
export interface Trial extends Deviation {
  readonly reading: SignatureReading;
}

/** One combination to try: an interpretation of the signature, and the text that may have been signed. */
export interface Attempt {
  readonly trial: Trial;
  /** At most one per part; empty for the agreed text. */
  readonly deviations: readonly TextDeviation[];
}

/** Maximum number of mistakes that are searched, besides those that the headers prove. */
const maxMistakes = 2;
/** Extra cost of a second mistake. */
const secondMistake = 2;
/** Steps per unit of cost. */
const steps = 2;
/** Maximum cost of two mistakes together; single ones may cost up to `maxCost`. */
const maxPairCost = 8;
const maxCost = 12;

const stepOf = (cost: number): number => Math.ceil(cost * steps);

/** Texts that may have been signed, generated on demand. */
export interface SignedTexts {
  readonly likely: () => readonly TextDeviation[];
  /** Many, and each tried without another mistake. */
  readonly rare: () => readonly TextDeviation[];
}

/** All combinations, the likeliest first: the agreed text, single mistakes in it, two at once. Generated on demand. */
export function* attempts(trials: readonly Trial[], texts: SignedTexts): Generator<Attempt> {
  const sorted = [...trials].sort((a, b) => a.cost - b.cost);
  const plain = sorted.filter(({ cost, codes }) => cost < 5 && codes.length <= maxMistakes);
  for (const trial of plain) yield { trial, deviations: [] };
  const likely = texts.likely();
  const harmless = likely.filter(({ codes }) => codes.length === 0);
  const often = harmless.filter(({ alone }) => !alone).slice(0, 6);
  const bases = [[], ...often.map((one) => [one]), ...pairsOf(often)];
  for (const deviations of [...harmless.map((one) => [one]), ...pairsOf(often)]) for (const trial of plain) yield { trial, deviations };
  yield* combined({ trials: sorted, choices: choicesOf(likely.filter(({ codes }) => codes.length > 0)), bases });
  const right = sorted.filter(({ codes }) => codes.length === 0);
  for (const one of texts.rare()) {
    for (const trial of right) for (const base of bases) if (isFree(base, [one])) yield { trial, deviations: [...base, one] };
  }
}

interface Combining {
  readonly trials: readonly Trial[];
  readonly choices: Choices;
  /** Deviations that are no mistakes, and may be combined with one. */
  readonly bases: readonly (readonly TextDeviation[])[];
}

function* combined({ trials, choices, bases }: Combining): Generator<Attempt> {
  for (let step = 0; step <= maxCost * steps; step++) {
    for (const trial of trials) {
      const ownStep = stepOf(trial.cost) + (trial.codes.length > 0 ? secondMistake * steps : 0);
      if (ownStep > step || (trial.codes.length > 0 && step > maxPairCost * steps)) continue;
      for (const choice of choices.at(step - ownStep)) {
        if (trial.codes.length + codesOf(choice) > maxMistakes) continue;
        for (const base of bases) if (isFree(base, choice)) yield { trial, deviations: [...base, ...choice] };
      }
    }
  }
}

const pairsOf = (texts: readonly TextDeviation[]): (readonly TextDeviation[])[] =>
  texts.flatMap((first, i) => texts.slice(i + 1).flatMap((second) => (first.part === second.part ? [] : [[first, second]])));

const codesOf = (choice: readonly Deviation[]): number => choice.reduce((sum, { codes }) => sum + codes.length, 0);

const isFree = (base: readonly TextDeviation[], choice: readonly TextDeviation[]): boolean =>
  base.every(({ part }) => choice.every((one) => one.part !== part));

/** One or two deviations of the text, by cost. */
interface Choices {
  at(step: number): readonly (readonly TextDeviation[])[];
}

function choicesOf(texts: readonly TextDeviation[]): Choices {
  const bySteps = new Map<number, (readonly TextDeviation[])[]>();
  const note = (step: number, choice: readonly TextDeviation[]): void => {
    const known = bySteps.get(step);
    if (known) known.push(choice);
    else bySteps.set(step, [choice]);
  };
  const sorted = [...texts].sort((a, b) => a.cost - b.cost);
  for (const text of sorted) note(stepOf(text.cost), [text]);
  const pairable = sorted.filter(({ alone, codes }) => !alone && codes.length < maxMistakes).slice(0, 200);
  for (const [i, first] of pairable.entries()) {
    for (const second of pairable.slice(i + 1)) {
      if (first.part !== second.part && first.cost + second.cost + secondMistake <= maxPairCost)
        note(stepOf(first.cost + second.cost + secondMistake), [first, second]);
    }
  }
  return { at: (step) => bySteps.get(step) ?? [] };
}
