/** The two simulated partners beside a development service. */
export type Simulated = 'host-app' | 'miniapp';

/** What one of them answered, as it came. */
export interface SimulatorAnswer {
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

/** The simulated partners as the operator's page shows and sets them. */
export interface SimulatorDesk {
  /** Where each listens, without a final slash. */
  readonly urls: Readonly<Record<Simulated, string>>;
  /** `path` below `/sandbox/`. Resolves to `undefined` where it does not answer. */
  ask(of: Simulated, method: 'GET' | 'PUT' | 'POST', path: string, body?: string): Promise<SimulatorAnswer | undefined>;
}
