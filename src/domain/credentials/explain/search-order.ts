import type { Deviation } from './cause';
import type { TextDeviation } from './filling';
import type { SignatureReading } from './ports';

/** A signature read in one way under one key, and what that would say of the sender. */
export interface Trial extends Deviation {
  readonly reading: SignatureReading;
}

/** One thing to try: a way to read the signature, and the text that may have been signed. */
export interface Attempt {
  readonly trial: Trial;
  /** At most one for each place; empty: the text is as agreed. */
  readonly deviations: readonly TextDeviation[];
}

/** At most so many mistakes are looked for beside those that the headers prove. */
const mistakesAtMost = 2;
/** What a second mistake costs beside its own likelihood. */
const secondMistake = 2;
/** Steps in one unit of cost. */
const steps = 2;
/** Beyond this two mistakes are not tried together; single ones are, however rare. */
const pairAtMost = 8;
const costAtMost = 12;

const stepOf = (cost: number): number => Math.ceil(cost * steps);

/** Texts that may have been signed, made when they are asked for. */
export interface SignedTexts {
  readonly likely: () => readonly TextDeviation[];
  /** Many, and each tried without another mistake. */
  readonly rare: () => readonly TextDeviation[];
}

/** Everything to try, the likeliest first: the agreed text, single mistakes in it, two at once. Made as it is asked for. */
export function* attempts(trials: readonly Trial[], texts: SignedTexts): Generator<Attempt> {
  const sorted = [...trials].sort((a, b) => a.cost - b.cost);
  const plain = sorted.filter(({ cost, codes }) => cost < 5 && codes.length <= mistakesAtMost);
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
  /** What makes no mistake and may stand beside one. */
  readonly bases: readonly (readonly TextDeviation[])[];
}

function* combined({ trials, choices, bases }: Combining): Generator<Attempt> {
  for (let step = 0; step <= costAtMost * steps; step++) {
    for (const trial of trials) {
      const ownStep = stepOf(trial.cost) + (trial.codes.length > 0 ? secondMistake * steps : 0);
      if (ownStep > step || (trial.codes.length > 0 && step > pairAtMost * steps)) continue;
      for (const choice of choices.at(step - ownStep)) {
        if (trial.codes.length + codesOf(choice) > mistakesAtMost) continue;
        for (const base of bases) if (isFree(base, choice)) yield { trial, deviations: [...base, ...choice] };
      }
    }
  }
}

const pairsOf = (texts: readonly TextDeviation[]): (readonly TextDeviation[])[] =>
  texts.flatMap((first, i) => texts.slice(i + 1).flatMap((second) => (first.place === second.place ? [] : [[first, second]])));

const codesOf = (choice: readonly Deviation[]): number => choice.reduce((sum, { codes }) => sum + codes.length, 0);

const isFree = (base: readonly TextDeviation[], choice: readonly TextDeviation[]): boolean =>
  base.every(({ place }) => choice.every((one) => one.place !== place));

/** Deviations of the text, one or two at once, by what they cost. */
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
  const pairable = sorted.filter(({ alone, codes }) => !alone && codes.length < mistakesAtMost).slice(0, 200);
  for (const [i, first] of pairable.entries()) {
    for (const second of pairable.slice(i + 1)) {
      if (first.place !== second.place && first.cost + second.cost + secondMistake <= pairAtMost)
        note(stepOf(first.cost + second.cost + secondMistake), [first, second]);
    }
  }
  return { at: (step) => bySteps.get(step) ?? [] };
}
