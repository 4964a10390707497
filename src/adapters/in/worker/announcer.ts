import type { AnnounceInstance } from '../../../domain/operations/announce-instance';
import { instanceRules } from '../../../domain/operations/instance';
import { errorFields } from '../../../domain/shared/fault';
import type { Log } from '../../../domain/shared/ports';
import { Ticker } from './ticker';

interface Deps {
  readonly announce: Pick<AnnounceInstance, 'execute' | 'leave'>;
  readonly log: Log;
}

/** Announces this instance every few seconds, and learns from the reply when it must drain. */
export class Announcer {
  private readonly ticker: Ticker;
  private onDrain: (() => void) | undefined;

  constructor(private readonly deps: Deps) {
    this.ticker = new Ticker({
      everyMs: instanceRules.everyMs,
      work: () => this.announce(),
      onFailure: (error) => {
        deps.log.warn('announce-failed', { ...errorFields(error) });
      },
    });
  }

  /** `onDrain` is called once at most. */
  start(onDrain: () => void): void {
    this.onDrain = onDrain;
    this.ticker.start();
    this.ticker.call();
  }

  /** Stops announcing and, if the store can be reached, records an orderly stop. */
  async stop(): Promise<void> {
    await this.ticker.stop();
    await this.deps.announce.leave().catch((error: unknown) => {
      this.deps.log.warn('leave-failed', { ...errorFields(error) });
    });
  }

  private async announce(): Promise<void> {
    if (!(await this.deps.announce.execute()) || !this.onDrain) return;
    this.deps.log.info('drain-requested');
    this.onDrain();
    this.onDrain = undefined;
  }
}
