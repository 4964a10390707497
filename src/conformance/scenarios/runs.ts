import type { Twist } from '../bench';
import type { Scenario } from '../scenario';
import { kindOf, type Tried } from './calls';

type Run = Scenario['run'];

/** A good request of that kind, with its twist, is taken. */
export const takes =
  (tried: Tried, twist: Twist = {}): Run =>
  async (bench, state) => {
    await bench.accepted(await state.good(kindOf(bench.facts, tried), bench), twist);
  };

/** It is refused. */
export const refuses =
  (tried: Tried, twist: Twist): Run =>
  async (bench, state) => {
    await bench.refused(await state.good(kindOf(bench.facts, tried), bench), twist);
  };

/** It is taken or refused, and no fault. */
export const survives =
  (tried: Tried, twist: Twist): Run =>
  async (bench, state) => {
    await bench.survived(await state.good(kindOf(bench.facts, tried), bench), twist);
  };
