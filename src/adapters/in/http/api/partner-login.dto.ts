import { Required, Text } from '../../../dto/decorators';

export class PartnerLoginDto {
  /** Encrypted user data. Only its size has an error of its own; every other problem gets the same answer. */
  @Required("User data that the host app's server encrypted under its Secret key; base64, or `v2.` and base64url.")
  @Text({ max: 200_000 })
  payload!: string;
}
