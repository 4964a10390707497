import { JsonNumber, JsonObject } from '../../../../domain/shared/json';
import type { Action } from './api-route';

/** Whatever a page wants to tell: no member but the two ids is read. */

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- a DTO without members
export class TrackDto {}

const received = JsonObject.of({ message: 'ok', status: new JsonNumber('200') });

/** POST analytics/track: a page of the pair was used. Counted by its log line; nothing of the body is kept. */
export const track: Action<TrackDto> = async () => received;
