import { ListOf, Required, text } from './rules';

/** A list that is tried on the calls that were counted. */
export class AddressTrialDto {
  @Required() @ListOf(text(64), 1000) addresses!: string[];
}
