import { Router, type RequestHandler } from 'express';
import { JsonNumber, type JsonObject } from '../../domain/shared/json';
import { ManageCallFailed } from '../manage-calls';
import { bodyOf, readBody } from '../read-body';
import { answerRefusal, Refusal } from '../partners/refusal';
import type { SandboxClock } from './sandbox-clock';

/** 30 days in seconds. */
const longestS = 2_592_000;

/** `GET /sandbox/clock` and `POST /sandbox/clock/advance` of the sandbox host app. */
export function clockRoutes(clock: SandboxClock): RequestHandler {
  return Router()
    .get('/sandbox/clock', async (_request, response) => {
      response.json(await refusalShown(clock.view()));
    })
    .post('/sandbox/clock/advance', ...readBody, async (request, response) => {
      const advanced = await refusalShown(clock.advance(stepIn(bodyOf(request))));
      response.json({ ...advanced, clock: await refusalShown(clock.view()) });
    })
    .use(answerRefusal);
}

/** Reads `{"seconds": …}` or `{"to": "next"}`. Throws INVALID_INPUT. */
function stepIn(body: JsonObject): number | 'next' {
  const [seconds, to] = [body.get('seconds'), body.get('to')];
  const isOne = body.members.size === 1;
  if (isOne && to === 'next') return to;
  const value = isOne && seconds instanceof JsonNumber ? Number(seconds.text) : Number.NaN;
  if (value >= 0.001 && value <= longestS) return value;
  throw new Refusal(400, 'INVALID_INPUT', `give either seconds, a number from 0.001 to ${String(longestS)}, or to: "next"`);
}

/** Passes the service's refusal on, because the caller is a developer. */
async function refusalShown<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ManageCallFailed) throw new Refusal(500, 'UNKNOWN_ERROR', `The service refused: ${error.message}`);
    if (error instanceof TypeError || error instanceof DOMException) throw new Refusal(500, 'UNKNOWN_ERROR', 'The service does not answer');
    throw error;
  }
}
