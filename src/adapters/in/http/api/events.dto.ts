import { JsonMembers, Optional, Required, Text } from '../../../dto/decorators';
import type { JsonObject } from '../../../../domain/shared/json';

export class EventDto {
  @Required() @Text({ min: 1, max: 250 }) event_type!: string;
  /** Relayed as it came. */
  @Optional() @JsonMembers() payload?: JsonObject;
  /** For us alone: durable events of one key are delivered in order. */
  @Optional() @Text({ max: 255 }) ordering_key?: string;
}
