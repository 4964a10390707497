import { Required, Text } from '../../../facts/decorators';

export class PartnerLoginDto {
  /** Encrypted user data. Whatever it is, it is judged by one answer: only its size is a rule of its own. */
  @Required() @Text({ max: 200_000 }) payload!: string;
}
