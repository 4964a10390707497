import type { Request, Response } from 'express';
import { printJson } from '../../../../../domain/shared/print-json';
import type { Simulated, SimulatorAnswer, SimulatorGateway } from '../../../../../domain/simulation/ports';
import { bodyOf } from '../http/json-body';
import { ManageProblem } from '../http/problem';
import { type Mount, serve } from '../http/serve';
import { sandboxCalls, simulatorCalls } from './sandbox-calls';

/** Serves the calls about the simulated partners, for the operator's page. In production they do not exist, and the answer reports that. */
export function simulatorRoutes(mount: Mount, partners: SimulatorGateway | undefined): void {
  serve(mount, sandboxCalls, {
    show: async (_req, res) => {
      res.json(partners ? await viewOf(partners) : { available: false });
    },
  });
  if (!partners) return;
  serve(mount, simulatorCalls, {
    setDials: async (req, res) => {
      pass(res, await partners.call(partnerIn(req), 'PUT', 'dials', printJson(await bodyOf(req))));
    },
    reset: async (_req, res) => {
      await partners.call('miniapp', 'POST', 'reset');
      pass(res, await partners.call('host-app', 'POST', 'reset'));
    },
    getDemo: async (_req, res) => {
      pass(res, await partners.call('host-app', 'GET', 'demo'));
    },
    startDemo: async (_req, res, { part }) => {
      pass(res, await partners.call('host-app', 'POST', part === undefined ? 'demo' : `demo?part=${part}`));
    },
    wind: async (req, res) => {
      pass(res, await partners.call('host-app', 'POST', 'clock/advance', printJson(await bodyOf(req))));
    },
  });
}

async function viewOf(partners: SimulatorGateway): Promise<object> {
  const read = async (of: Simulated, path: string): Promise<unknown> => jsonOf(await partners.call(of, 'GET', path));
  const [hostDials, miniDials, clock, magic] = await Promise.all([
    read('host-app', 'dials'),
    read('miniapp', 'dials'),
    read('host-app', 'clock'),
    read('host-app', 'magic-values'),
  ]);
  return {
    available: hostDials !== null && miniDials !== null,
    partners: [
      { id: 'host-app', url: byName(partners.urls['host-app']), dials: hostDials },
      { id: 'miniapp', url: byName(partners.urls.miniapp), dials: miniDials },
    ],
    clock,
    magic_values: magic,
  };
}

/** The URL that a browser on this machine can open. */
const byName = (url: string): string => `${url.replace('//127.0.0.1:', '//localhost:')}/`;

const jsonOf = (answer: SimulatorAnswer | undefined): unknown => (answer?.status === 200 ? (JSON.parse(answer.text) as unknown) : null);

function partnerIn(req: Request): Simulated {
  const { partner } = req.params;
  if (partner === 'host-app' || partner === 'miniapp') return partner;
  throw new ManageProblem('not-found');
}

/** Passes a simulated partner's success on, and turns its refusal into a problem of this API. */
function pass(res: Response, answer: SimulatorAnswer | undefined): void {
  if (!answer) throw new ManageProblem('unavailable', { detail: 'The simulated partner does not answer', headers: { 'Retry-After': '1' } });
  if (answer.status < 400) {
    res.status(answer.status).type('application/json').send(answer.text);
    return;
  }
  const { error_message: message } = JSON.parse(answer.text) as { error_message?: unknown };
  const detail = typeof message === 'string' ? message : 'The simulated partner refuses this';
  throw new ManageProblem(answer.status === 409 ? 'conflict' : 'invalid-content', { detail });
}
