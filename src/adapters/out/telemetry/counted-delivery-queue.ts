import type { Attempt, DueDelivery } from '../../../domain/deliveries/delivery';
import type { Claim, DeliveryQueue, Failure, EndpointNews, NextDue, Overdue, ParkedOf } from '../../../domain/deliveries/ports';
import type { ClaimRequest } from '../../../domain/deliveries/claim-capacity';
import type { Sample } from './sample';
import { Counts, Timings } from './tally';

type Outcome = 'received' | 'failed' | 'given-up';

/** Counts the results of attempts; the wrapped queue stores them. */
export class CountedDeliveryQueue implements DeliveryQueue {
  private readonly attempts = new Counts('pierhead_delivery_attempts_total');
  private readonly durations = new Timings('pierhead_delivery_attempt_duration_seconds');
  private givenUp = 0;

  constructor(private readonly queue: DeliveryQueue) {}

  delivered(claim: Claim, attempt: Attempt, news?: EndpointNews): Promise<boolean> {
    this.count(claim, attempt, 'received');
    return this.queue.delivered(claim, attempt, news);
  }

  retry(claim: Claim, attempt: Attempt, failure: Failure): Promise<boolean> {
    this.count(claim, attempt, 'failed');
    return this.queue.retry(claim, attempt, failure);
  }

  giveUp(claim: Claim, attempt: Attempt, failure: Pick<Failure, 'trouble'>): Promise<boolean> {
    this.count(claim, attempt, 'given-up');
    this.givenUp++;
    return this.queue.giveUp(claim, attempt, failure);
  }

  async giveUpOverdue(overdue: Overdue): Promise<number> {
    const count = await this.queue.giveUpOverdue(overdue);
    this.givenUp += count;
    return count;
  }

  claimDue(request: ClaimRequest): Promise<readonly DueDelivery[]> {
    return this.queue.claimDue(request);
  }

  park(claim: Claim, code: string, inMs: number): Promise<boolean> {
    return this.queue.park(claim, code, inMs);
  }

  wake(of: ParkedOf, limit: number): Promise<number> {
    return this.queue.wake(of, limit);
  }

  nextDue(fullQueues: readonly string[]): Promise<NextDue> {
    return this.queue.nextDue(fullQueues);
  }

  samples(): readonly Sample[] {
    const givenUp: Sample = { name: 'pierhead_deliveries_given_up_total', series: [{ labels: [], values: [this.givenUp] }] };
    return [this.attempts.sample(), this.durations.sample(), givenUp];
  }

  private count({ queue }: Claim, { ms }: Attempt, outcome: Outcome): void {
    const kind = queue.slice(queue.lastIndexOf(':') + 1);
    this.attempts.add(kind, outcome);
    this.durations.add(ms, kind);
  }
}
