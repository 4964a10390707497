/** The two simulated partners of a development service. */
export type Simulated = 'host-app' | 'miniapp';

/** A simulated partner's answer, unchanged. */
export interface SimulatorAnswer {
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

/** Reads and changes the simulated partners for the operator's page. */
export interface SimulatorGateway {
  /** Base URLs, without a final slash. */
  readonly urls: Readonly<Record<Simulated, string>>;
  /** `path` is below `/sandbox/`. Resolves to `undefined` where the partner does not answer. */
  call(of: Simulated, method: 'GET' | 'PUT' | 'POST', path: string, body?: string): Promise<SimulatorAnswer | undefined>;
}
