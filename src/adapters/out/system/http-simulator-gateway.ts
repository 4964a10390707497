import type { Simulated, SimulatorAnswer, SimulatorGateway } from '../../../domain/simulation/ports';

/** The time limit in milliseconds: advancing the clock also makes the attempts that become due. */
const deadlineMs = 120_000;

/** Calls the simulated partners over loopback. Their addresses come from the service's own settings, never from a caller. */
export class HttpSimulatorGateway implements SimulatorGateway {
  constructor(readonly urls: Readonly<Record<Simulated, string>>) {}

  async call(of: Simulated, method: 'GET' | 'PUT' | 'POST', path: string, body?: string): Promise<SimulatorAnswer | undefined> {
    const sent = body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } };
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const answer = await fetch(`${this.urls[of]}/sandbox/${path}`, { method, ...sent, redirect: 'error', signal });
      return { status: answer.status, text: await answer.text() };
    } catch {
      return undefined;
    }
  }
}
