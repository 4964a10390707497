import { JsonMembers, Optional, Required, Text } from '../../../dto/decorators';
import type { JsonObject } from '../../../../domain/shared/json';

export class EventDto {
  @Required('Kind of event, in words that the two partners agreed on, such as `loyalty.points`.')
  @Text({ min: 1, max: 250 })
  event_type!: string;
  @Optional('Content for the receiver, relayed whole; absent means `{}`.') @JsonMembers() payload?: JsonObject;
  @Optional('Durable events with the same key arrive one after the other; the receiver does not get the key.')
  @Text({ max: 255 })
  ordering_key?: string;
}
