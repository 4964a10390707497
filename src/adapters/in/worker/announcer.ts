import type { AnnounceInstance } from '../../../domain/operations/announce-instance';
import { instanceRules } from '../../../domain/operations/instance';
import { factsOfFault } from '../../../domain/shared/fault';
import type { Log } from '../../../domain/shared/ports';
import { Ticker } from './ticker';

interface Deps {
  readonly announce: Pick<AnnounceInstance, 'execute' | 'leave'>;
  readonly log: Log;
}

/** Announces this instance every few seconds, and hears when it is asked to leave. */
export class Announcer {
  private readonly ticker: Ticker;
  private onDrain: (() => void) | undefined;

  constructor(private readonly deps: Deps) {
    this.ticker = new Ticker({
      everyMs: instanceRules.everyMs,
      work: () => this.tell(),
      onFailure: (error) => {
        deps.log.warn('announce-failed', { ...factsOfFault(error) });
      },
    });
  }

  /** `onDrain` is called once at most. */
  start(onDrain: () => void): void {
    this.onDrain = onDrain;
    this.ticker.start();
    this.ticker.call();
  }

  /** Announces no more; the board knows that it left in order, if it can still be reached. */
  async stop(): Promise<void> {
    await this.ticker.stop();
    await this.deps.announce.leave().catch((error: unknown) => {
      this.deps.log.warn('leave-failed', { ...factsOfFault(error) });
    });
  }

  private async tell(): Promise<void> {
    if (!(await this.deps.announce.execute()) || !this.onDrain) return;
    this.deps.log.info('drain-asked');
    this.onDrain();
    this.onDrain = undefined;
  }
}
