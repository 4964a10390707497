import { Router, type RequestHandler } from 'express';
import { magicValues } from '../partners/magic-values';
import type { ManageCalls } from '../manage-calls';
import { answerRefusal, Refusal } from '../partners/refusal';
import { runSteps, demoParts, type DemoRun, type DemoPart } from './run-steps';
import type { Leg } from './demo-table';

type DemoTarget = Omit<DemoRun, 'print' | 'tell' | 'hear' | 'colour' | 'part'>;

interface DemoProgress {
  readonly startedAt: number;
  readonly legs: Leg[];
  /** Absent while it is running. */
  asExpected?: boolean;
}

/** Runs the demo scenarios with the running sandbox partners, and keeps the progress of the last run. */
export class DemoScenarios {
  private last: DemoProgress | undefined;

  constructor(private readonly deps: { readonly target: DemoTarget; readonly manage: Pick<ManageCalls, 'send'> }) {}

  /** `GET` and `POST /sandbox/demo`, and the magic values, of the sandbox host app. */
  routes(): RequestHandler {
    return Router()
      .get('/sandbox/magic-values', (_request, response) => {
        response.json({ data: magicValues });
      })
      .get('/sandbox/demo', (_request, response) => {
        response.json(this.view());
      })
      .post('/sandbox/demo', (request, response) => {
        const part = partIn(request.query['part']);
        if (this.last && this.last.asExpected === undefined) throw new Refusal(409, 'INVALID_INPUT', 'A demo run is under way');
        const progress: DemoProgress = { startedAt: Date.now(), legs: [] };
        this.last = progress;
        void this.go(progress, part);
        response.status(202).json(this.view());
      })
      .use(answerRefusal);
  }

  /** Runs the demo and restores the host app's settings, which the last steps change. */
  private async go(progress: DemoProgress, part: DemoPart | undefined): Promise<void> {
    const { target, manage } = this.deps;
    const made = runSteps({ ...target, part, print: () => undefined, onStep: (legs) => progress.legs.push(...legs), colour: false });
    const asExpected = await made.catch(() => false);
    if (part === undefined) {
      const back = manage.send('PATCH', `host-apps/${target.pair.clientId}`, [200], { use_access_token: false });
      await back.catch(() => undefined);
    }
    progress.asExpected = asExpected;
  }

  /** The progress, with the ids of the demo's integration. */
  private view(): object {
    const { clientId, appId } = this.deps.target.pair;
    return { client_id: clientId, app_id: appId, ...viewOf(this.last) };
  }
}

/** Throws INVALID_INPUT for an unknown part. */
function partIn(text: unknown): DemoPart | undefined {
  const part = demoParts.find((one) => one === text);
  if (text !== undefined && part === undefined) throw new Refusal(400, 'INVALID_INPUT', `part: one of ${demoParts.join(', ')}`);
  return part;
}

const viewOf = (progress: DemoProgress | undefined): object =>
  progress === undefined
    ? { state: 'none', legs: [] }
    : {
        state: progress.asExpected === undefined ? 'running' : progress.asExpected ? 'as-expected' : 'not-as-expected',
        started_at: new Date(progress.startedAt).toISOString(),
        legs: progress.legs.map(({ ms, ...leg }) => ({ ...leg, ms: Math.round(ms) })),
      };
