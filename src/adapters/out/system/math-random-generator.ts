import type { RandomGenerator } from '../../../domain/deliveries/ports';

/** RandomGenerator with Math.random: good for spreading load, not for secrets. */
export class MathRandomGenerator implements RandomGenerator {
  next(): number {
    return Math.random();
  }
}
