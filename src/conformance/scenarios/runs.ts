import type { Twist } from '../bench';
import type { Scenario } from '../scenario';
import { kindOf, type Tried } from './calls';

type Run = Scenario['run'];

/** The partner must accept a good request with this twist. */
export const takes =
  (tried: Tried, twist: Twist = {}): Run =>
  async (bench, state) => {
    await bench.accepted(await state.good(kindOf(bench.context, tried), bench), twist);
  };

/** The partner must refuse the request with this twist. */
export const refuses =
  (tried: Tried, twist: Twist): Run =>
  async (bench, state) => {
    await bench.refused(await state.good(kindOf(bench.context, tried), bench), twist);
  };

/** The partner may accept or refuse the request, but must not fail. */
export const survives =
  (tried: Tried, twist: Twist): Run =>
  async (bench, state) => {
    await bench.survived(await state.good(kindOf(bench.context, tried), bench), twist);
  };
