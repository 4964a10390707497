import { errorFields } from '../shared/fault';
import type { Log } from '../shared/ports';
import { circuitRules } from './circuit';
import type { CircuitStore, CircuitName, SharedCircuit } from './circuit-store';
import type { CircuitChange } from './endpoint';
import type { PartnerIsolation } from './partner-isolation';

/**
 * Synchronizes the circuits of all processes: reports changes here, takes over changes from others, and lets only one process at a time
 * try a half-open circuit. While the database is unavailable, each process uses its own circuits alone.
 */
export class ShareCircuits {
  private seen = new Map<string, SharedCircuit>();
  private reporting: Promise<void> = Promise.resolve();

  constructor(private readonly deps: { readonly isolation: PartnerIsolation; readonly store: CircuitStore; readonly log: Log }) {
    deps.isolation.subscribe(
      (change) => {
        this.report(change);
      },
      (circuit) => this.claim(circuit),
    );
  }

  /** Takes over the circuits of other processes. Throws Unavailable. */
  async execute(): Promise<void> {
    const { isolation, store } = this.deps;
    const found = new Map((await store.read()).map((circuit) => [keyOf(circuit), circuit]));
    for (const [key, { openMs: _over, ...closed }] of this.seen) if (!found.has(key)) isolation.learn(closed);
    for (const { isOwn, openMs, ...circuit } of found.values()) if (!isOwn && openMs > 0) isolation.learn({ ...circuit, openMs });
    if ([...found.values()].some(({ openMs }) => openMs < -oldMs)) await store.forgetOld();
    this.seen = found;
  }

  /** Resolves when all changes of this process are stored. */
  get settled(): Promise<void> {
    return this.reporting;
  }

  /** Claims a trial once earlier changes of this process are stored. */
  private async claim(circuit: CircuitName): Promise<number> {
    const { store, log } = this.deps;
    await this.reporting;
    return store.claimTrial(circuit, circuitRules.trialMs).catch((error: unknown) => {
      log.debug('circuit.not-claimed', { ...errorFields(error) });
      return 0;
    });
  }

  /** Stores a change after all earlier ones, so that a circuit's closing is never stored before its opening. */
  private report(change: CircuitChange): void {
    const { store, log } = this.deps;
    const { side, partnerId, step, integrationId, openMs } = change;
    const fields = { side, partner: partnerId, step, integration: integrationId };
    if (openMs === undefined) log.info('circuit.closed', fields);
    else log.warn('circuit.open', { ...fields, open_ms: openMs });
    this.reporting = this.reporting
      .then(() => store.note(change))
      .catch((error: unknown) => {
        log.debug('circuit.not-shared', { ...errorFields(error) });
      });
  }
}

const oldMs = 600_000;
const keyOf = ({ side, partnerId, step, integrationId = '' }: SharedCircuit): string =>
  JSON.stringify([side, partnerId, step, integrationId]);
