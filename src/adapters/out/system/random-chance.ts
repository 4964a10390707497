import type { Chance } from '../../../domain/deliveries/ports';

/** Chance as the runtime has it: good for spreading load, not for secrets. */
export class RandomChance implements Chance {
  roll(): number {
    return Math.random();
  }
}
