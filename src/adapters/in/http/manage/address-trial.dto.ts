import { ListOf, Required, sizedText } from '../../../dto/decorators';

/** A list that is tried on the calls that were counted. */
export class AddressTrialDto {
  @Required() @ListOf(sizedText(64), 1000) addresses!: string[];
}
