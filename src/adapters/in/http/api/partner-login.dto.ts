import { Required, Text } from '../../../dto/decorators';

export class PartnerLoginDto {
  /** Encrypted user data. Whatever it is, it is judged by one answer: only its size is a rule of its own. */
  @Required() @Text({ max: 200_000 }) payload!: string;
}
