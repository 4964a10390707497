import { Description, ListOf, Required, sizedText } from '../../../../dto/decorators';

/** An allowlist to try on the calls counted so far. */
@Description('An allowlist that is tried on the calls that were counted.')
export class AddressTrialDto {
  @Required('Entries in the form of the stored list; nothing of them is stored.') @ListOf(sizedText(64), 1000) addresses!: string[];
}
