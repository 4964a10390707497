import { factsOfFault } from '../shared/fault';
import type { Log } from '../shared/ports';
import { circuitRules } from './circuit';
import type { CircuitBoard, CircuitName, SharedCircuit } from './circuit-board';
import type { CircuitChange } from './endpoint';
import type { PartnerIsolation } from './partner-isolation';

/**
 * Keeps the circuits of all processes alike: tells the others what opens or closes here, takes over what opened or closed there, and lets
 * one process at a time try a half-open circuit. While the database is away each process goes by its own calls.
 */
export class ShareCircuits {
  private seen = new Map<string, SharedCircuit>();
  private telling: Promise<void> = Promise.resolve();

  constructor(private readonly deps: { readonly isolation: PartnerIsolation; readonly board: CircuitBoard; readonly log: Log }) {
    deps.isolation.hear(
      (change) => {
        this.tell(change);
      },
      (circuit) => this.claim(circuit),
    );
  }

  /** Takes over what the others know. Throws Unavailable. */
  async execute(): Promise<void> {
    const { isolation, board } = this.deps;
    const found = new Map((await board.read()).map((circuit) => [keyOf(circuit), circuit]));
    for (const [key, { openMs: _over, ...closed }] of this.seen) if (!found.has(key)) isolation.learn(closed);
    for (const { isOwn, openMs, ...circuit } of found.values()) if (!isOwn && openMs > 0) isolation.learn({ ...circuit, openMs });
    if ([...found.values()].some(({ openMs }) => openMs < -oldMs)) await board.forgetOld();
    this.seen = found;
  }

  /** Resolves when all that has happened here has been told. */
  get told(): Promise<void> {
    return this.telling;
  }

  /** After what happened here before has been told. */
  private async claim(circuit: CircuitName): Promise<number> {
    const { board, log } = this.deps;
    await this.telling;
    return board.claimTrial(circuit, circuitRules.trialMs).catch((error: unknown) => {
      log.debug('circuit.not-claimed', { ...factsOfFault(error) });
      return 0;
    });
  }

  /** In order: an end must not come before its beginning. */
  private tell(change: CircuitChange): void {
    const { board, log } = this.deps;
    const { side, partnerId, step, integrationId, openMs } = change;
    const facts = { side, partner: partnerId, step, integration: integrationId };
    if (openMs === undefined) log.info('circuit.closed', facts);
    else log.warn('circuit.open', { ...facts, open_ms: openMs });
    this.telling = this.telling
      .then(() => board.note(change))
      .catch((error: unknown) => {
        log.debug('circuit.not-told', { ...factsOfFault(error) });
      });
  }
}

const oldMs = 600_000;
const keyOf = ({ side, partnerId, step, integrationId = '' }: SharedCircuit): string =>
  JSON.stringify([side, partnerId, step, integrationId]);
