import { HeaderText, Required, Text } from './rules';

/** Whom to forget. */
export class EraseUserDto {
  @Required() @HeaderText(64) client_id!: string;
  @Required() @Text(255) reference!: string;
}
