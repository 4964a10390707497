import type { Request, RequestHandler, Response, Router } from 'express';
import { printJson } from '../../../../domain/shared/json';
import type { Simulated, SimulatorAnswer, SimulatorDesk } from '../../../../domain/simulation/ports';
import { operatorOnly } from './access';
import { bodyOf } from './json-body';
import { ManageProblem } from './problem';
import { listQuery, query, word } from './query';
import { serve } from './serve';

/** `/sandbox`: the simulated partners, from the operator's page. In production they are not there, and this says so. */
export function simulatorRoutes(router: Router, readBody: RequestHandler, desk: SimulatorDesk | undefined): void {
  serve(router, '/sandbox', {
    get: operatorOnly(async (req, res) => {
      listQuery(req, {});
      res.json(desk ? await viewOf(desk) : { available: false });
    }),
  });
  if (!desk) return;
  serve(router, '/sandbox/partners/:partner/dials', {
    put: operatorOnly(readBody, async (req, res) => {
      pass(res, await desk.ask(partnerIn(req), 'PUT', 'dials', printJson(bodyOf(req))));
    }),
  });
  serve(router, '/sandbox/reset', {
    post: operatorOnly(async (_req, res) => {
      await desk.ask('miniapp', 'POST', 'reset');
      pass(res, await desk.ask('host-app', 'POST', 'reset'));
    }),
  });
  serve(router, '/sandbox/walk', {
    get: operatorOnly(async (_req, res) => {
      pass(res, await desk.ask('host-app', 'GET', 'walk'));
    }),
    post: operatorOnly(async (req, res) => {
      const { part } = query(req, { part: word });
      pass(res, await desk.ask('host-app', 'POST', part === undefined ? 'walk' : `walk?part=${encodeURIComponent(part)}`));
    }),
  });
  serve(router, '/sandbox/wind', {
    post: operatorOnly(readBody, async (req, res) => {
      pass(res, await desk.ask('host-app', 'POST', 'clock/advance', printJson(bodyOf(req))));
    }),
  });
}

async function viewOf(desk: SimulatorDesk): Promise<object> {
  const ask = async (of: Simulated, path: string): Promise<unknown> => jsonOf(await desk.ask(of, 'GET', path));
  const [hostDials, miniDials, clock, magic] = await Promise.all([
    ask('host-app', 'dials'),
    ask('miniapp', 'dials'),
    ask('host-app', 'clock'),
    ask('host-app', 'magic-values'),
  ]);
  return {
    available: hostDials !== null && miniDials !== null,
    partners: [
      { id: 'host-app', url: byName(desk.urls['host-app']), dials: hostDials },
      { id: 'miniapp', url: byName(desk.urls.miniapp), dials: miniDials },
    ],
    clock,
    magic_values: magic,
  };
}

/** What a browser on this machine opens. */
const byName = (url: string): string => `${url.replace('//127.0.0.1:', '//localhost:')}/`;

const jsonOf = (answer: SimulatorAnswer | undefined): unknown => (answer?.status === 200 ? (JSON.parse(answer.text) as unknown) : null);

function partnerIn(req: Request): Simulated {
  const { partner } = req.params;
  if (partner === 'host-app' || partner === 'miniapp') return partner;
  throw new ManageProblem('not-found');
}

/** What a simulated partner says to its own developer passes; what it refuses is a refusal here. */
function pass(res: Response, answer: SimulatorAnswer | undefined): void {
  if (!answer) throw new ManageProblem('unavailable', { detail: 'The simulated partner does not answer', headers: { 'Retry-After': '1' } });
  if (answer.status < 400) {
    res.status(answer.status).type('application/json').send(answer.text);
    return;
  }
  const { error_message: said } = JSON.parse(answer.text) as { error_message?: unknown };
  const detail = typeof said === 'string' ? said : 'The simulated partner refuses this';
  throw new ManageProblem(answer.status === 409 ? 'conflict' : 'invalid-content', { detail });
}
