import { Router, type RequestHandler } from 'express';
import { magicValues } from './magic-values';
import type { ManageCalls } from './manage-calls';
import { answerRefusal, Refusal } from './refusal';
import { walk, walkParts, type Walk, type WalkPart } from './walk';
import type { Leg } from './walk-table';

type Way = Omit<Walk, 'print' | 'tell' | 'hear' | 'colour' | 'part'>;

interface Walked {
  readonly startedAt: number;
  readonly legs: Leg[];
  /** Absent: it is under way. */
  asExpected?: boolean;
}

/** Walks the demo's way through the standing sandbox partners, for who looks on. */
export class WalkDesk {
  private last: Walked | undefined;

  constructor(private readonly deps: { readonly way: Way; readonly manage: Pick<ManageCalls, 'send'> }) {}

  /** `GET` and `POST /sandbox/walk`, and the magic values, of the sandbox host app. */
  routes(): RequestHandler {
    return Router()
      .get('/sandbox/magic-values', (_request, response) => {
        response.json({ data: magicValues });
      })
      .get('/sandbox/walk', (_request, response) => {
        response.json(this.view());
      })
      .post('/sandbox/walk', (request, response) => {
        const part = partIn(request.query['part']);
        if (this.last && this.last.asExpected === undefined) throw new Refusal(409, 'INVALID_INPUT', 'A walk is under way');
        const walked: Walked = { startedAt: Date.now(), legs: [] };
        this.last = walked;
        void this.go(walked, part);
        response.status(202).json(this.view());
      })
      .use(answerRefusal);
  }

  /** Its last steps change how the host app is called: that is put back. */
  private async go(walked: Walked, part: WalkPart | undefined): Promise<void> {
    const { way, manage } = this.deps;
    const made = walk({ ...way, part, print: () => undefined, hear: (legs) => walked.legs.push(...legs), colour: false });
    const asExpected = await made.catch(() => false);
    if (part === undefined) {
      const back = manage.send('PATCH', `host-apps/${way.pair.clientId}`, [200], { use_access_token: false });
      await back.catch(() => undefined);
    }
    walked.asExpected = asExpected;
  }

  /** With the integration that is walked through. */
  private view(): object {
    const { clientId, appId } = this.deps.way.pair;
    return { client_id: clientId, app_id: appId, ...viewOf(this.last) };
  }
}

/** Throws INVALID_INPUT. */
function partIn(text: unknown): WalkPart | undefined {
  const part = walkParts.find((one) => one === text);
  if (text !== undefined && part === undefined) throw new Refusal(400, 'INVALID_INPUT', `part: one of ${walkParts.join(', ')}`);
  return part;
}

const viewOf = (walked: Walked | undefined): object =>
  walked === undefined
    ? { state: 'none', legs: [] }
    : {
        state: walked.asExpected === undefined ? 'running' : walked.asExpected ? 'as-expected' : 'not-as-expected',
        started_at: new Date(walked.startedAt).toISOString(),
        legs: walked.legs.map(({ ms, ...leg }) => ({ ...leg, ms: Math.round(ms) })),
      };
