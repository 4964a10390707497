import { JsonNumber, JsonObject } from '../../../../domain/shared/json';
import type { Action } from './api-route';

/** Accepts any body: only the two ids are read. */

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- a DTO without members
export class TrackDto {}

const received = JsonObject.of({ message: 'ok', status: new JsonNumber('200') });

/** POST analytics/track: a page of the integration was used. Only the log line counts it; nothing of the body is kept. */
export const track: Action<TrackDto> = async () => received;
