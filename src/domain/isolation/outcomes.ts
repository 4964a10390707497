import { circuitRules, isExpensive, type Outcome } from './circuit';

/** Outcomes of one integration's calls to an endpoint. `…Before`: in the previous half of the window. */
interface Counts {
  answered: number;
  failed: number;
  answeredBefore: number;
  failedBefore: number;
  /** Expensive failures without a success between them. */
  expensiveInARow: number;
}

/** Outcomes of the last ten seconds at one endpoint, by integration. Times are milliseconds of a monotonic clock. */
export class Outcomes {
  private readonly byIntegration = new Map<string, Counts>();
  private halfBegan = -Infinity;
  private expensiveInARow = 0;

  add(integrationId: string, outcome: Outcome, now: number): void {
    this.turn(now);
    const counts = this.countsOf(integrationId);
    if (outcome === 'answered') {
      counts.answered++;
      counts.expensiveInARow = 0;
      this.expensiveInARow = 0;
      return;
    }
    counts.failed++;
    if (!isExpensive(outcome)) return;
    counts.expensiveInARow++;
    this.expensiveInARow++;
  }

  /**
   * The circuit that must open after a failure of this integration: that of the whole `endpoint`, or of this `integration` alone if the
   * endpoint answers others. `undefined`: none yet.
   */
  verdict(integrationId: string): 'endpoint' | 'integration' | undefined {
    const own = this.countsOf(integrationId);
    if (isFailing(own, own.expensiveInARow)) return this.answersOthers(integrationId) ? 'integration' : 'endpoint';
    if (!isFailing(this.total(), this.expensiveInARow)) return undefined;
    return this.answersOthers(integrationId) ? undefined : 'endpoint';
  }

  /** Integrations with a failure. */
  failing(): string[] {
    return [...this.byIntegration].filter(([, counts]) => failuresOf(counts) > 0).map(([id]) => id);
  }

  forget(integrationId?: string): void {
    if (integrationId !== undefined) this.byIntegration.delete(integrationId);
    else {
      this.byIntegration.clear();
      this.expensiveInARow = 0;
    }
  }

  private answersOthers(integrationId: string): boolean {
    for (const [id, counts] of this.byIntegration) if (id !== integrationId && answersOf(counts) > failuresOf(counts)) return true;
    return false;
  }

  private total(): Counts {
    const sum: Counts = { answered: 0, failed: 0, answeredBefore: 0, failedBefore: 0, expensiveInARow: 0 };
    for (const counts of this.byIntegration.values()) {
      sum.answered += answersOf(counts);
      sum.failed += failuresOf(counts);
    }
    return sum;
  }

  private countsOf(integrationId: string): Counts {
    let counts = this.byIntegration.get(integrationId);
    if (!counts) {
      counts = { answered: 0, failed: 0, answeredBefore: 0, failedBefore: 0, expensiveInARow: 0 };
      this.byIntegration.set(integrationId, counts);
    }
    return counts;
  }

  private turn(now: number): void {
    const passed = now - this.halfBegan;
    if (passed < halfMs) return;
    for (const [id, counts] of this.byIntegration) {
      const isOld = passed >= 2 * halfMs;
      counts.answeredBefore = isOld ? 0 : counts.answered;
      counts.failedBefore = isOld ? 0 : counts.failed;
      counts.answered = counts.failed = 0;
      if (counts.answeredBefore + counts.failedBefore + counts.expensiveInARow === 0) this.byIntegration.delete(id);
    }
    this.halfBegan = now;
  }
}

const halfMs = circuitRules.windowMs / 2;
const answersOf = ({ answered, answeredBefore }: Counts): number => answered + answeredBefore;
const failuresOf = ({ failed, failedBefore }: Counts): number => failed + failedBefore;

function isFailing(counts: Counts, expensiveInARow: number): boolean {
  if (expensiveInARow >= circuitRules.expensiveInARow) return true;
  const [answers, failures] = [answersOf(counts), failuresOf(counts)];
  return answers + failures >= circuitRules.minCalls && failures >= circuitRules.failing * (answers + failures);
}
