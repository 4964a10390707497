import type { Simulated, SimulatorAnswer, SimulatorDesk } from '../../../domain/simulation/ports';

/** An advance of the clock makes attempts on its way, and ends within this many milliseconds. */
const deadlineMs = 120_000;

/** The simulated partners over loopback: their addresses are the service's own settings, never a caller's. */
export class HttpSimulatorDesk implements SimulatorDesk {
  constructor(readonly urls: Readonly<Record<Simulated, string>>) {}

  async ask(of: Simulated, method: 'GET' | 'PUT' | 'POST', path: string, body?: string): Promise<SimulatorAnswer | undefined> {
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
