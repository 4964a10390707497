import { setTimeout as pause } from 'node:timers/promises';
import type { ManageCalls } from '../manage-calls';
import { memberOf } from '../read-body';
import type { WoundTime } from './wound-time';

/** A scheduled step: a delivery attempt, a status poll, or a report of the sandbox host app. */
export interface ClockStep {
  readonly what: string;
  readonly id?: string;
  /** Seconds from now. For a completed step, seconds from the start of the advance. */
  readonly in_s: number;
}

/** The clock in the form of the API. */
export interface ClockView {
  /** Seconds that it has been advanced since the start. */
  readonly advanced_s: number;
  /** Attempts and polls in flight. */
  readonly in_flight: number;
  /** Absent when nothing is scheduled. */
  readonly next?: ClockStep;
}

/** The result of one advance. */
export interface Advanced {
  /** Seconds; less than requested only when it had to stop at `maxSteps`. */
  readonly advanced_s: number;
  /** The steps that became due on the way, in order. */
  readonly steps: readonly ClockStep[];
}

interface Deps {
  readonly time: WoundTime;
  readonly manage: Pick<ManageCalls, 'send'>;
  /** Integrations of the sandbox host app whose time advances. */
  readonly pairs: readonly Pair[];
}

interface Pair {
  readonly clientId: string;
  readonly appId: string;
}

/** Maximum steps of one advance, so that it ends. */
export const maxSteps = 500;
const pollEveryMs = 20;
/** Maximum wait in milliseconds for attempts in flight, and for due work that has not begun. */
const patienceMs = { inFlight: 20_000, overdue: 3000 } as const;

/**
 * Advances time for the sandbox's integrations: in the service through its manage API, and in the sandbox host app. It stops at each due
 * step until that has completed, so that a simulated week runs like a real one.
 */
export class SandboxClock {
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: Deps) {}

  /** The clock's current state. Throws ManageCallFailed. */
  async view(): Promise<ClockView> {
    const { time, pairs } = this.deps;
    const ofService = await Promise.all(pairs.map((pair) => this.upcoming(pair)));
    const reportInMs = time.nextInMs();
    const ofHostApp = reportInMs === undefined ? undefined : { what: 'report', in_s: reportInMs / 1000 };
    const [next] = [...ofService.map((one) => one.next), ofHostApp].filter((step) => step !== undefined).sort((a, b) => a.in_s - b.in_s);
    const inFlight = ofService.reduce((sum, one) => sum + one.inFlight, 0);
    return { advanced_s: time.aheadMs / 1000, in_flight: inFlight, ...(next && { next }) };
  }

  private async upcoming({ clientId, appId }: Pair): Promise<{ inFlight: number; next: ClockStep | undefined }> {
    const query = new URLSearchParams({ client_id: clientId, app_id: appId }).toString();
    const { body } = await this.deps.manage.send('GET', `sandbox/clock?${query}`, [200]);
    return { inFlight: Number(memberOf(body, 'in_flight')), next: stepIn(memberOf(body, 'next')) };
  }

  /**
   * Advances by this many seconds, rounded to milliseconds, or for `next` to the next step. Advances run one at a time. Throws
   * ManageCallFailed.
   */
  advance(by: number | 'next'): Promise<Advanced> {
    const mine = this.turn.then(() => this.advanceBy(by));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private async advanceBy(by: number | 'next'): Promise<Advanced> {
    const steps: ClockStep[] = [];
    // Counts in whole milliseconds, so that the sum is exact.
    let goneMs = 0;
    for (let next = await this.settled(); steps.length < maxSteps; next = await this.settled()) {
      const leftMs = by === 'next' ? Infinity : Math.round(by * 1000) - goneMs;
      const nextMs = next && Math.max(0, Math.ceil(next.in_s * 1000));
      if (next === undefined || nextMs === undefined || nextMs > leftMs) {
        if (by !== 'next') goneMs += await this.wind(leftMs);
        break;
      }
      goneMs += await this.wind(nextMs);
      steps.push({ ...next, in_s: goneMs / 1000 });
      if (by === 'next') break;
    }
    await this.settled();
    return { advanced_s: goneMs / 1000, steps };
  }

  /** Advances time by `ms` and resolves to `ms`. For overdue work, `ms` is 0 and nothing changes. */
  private async wind(ms: number): Promise<number> {
    if (ms === 0) return 0;
    const { time, manage, pairs } = this.deps;
    for (const { clientId, appId } of pairs) {
      await manage.send('POST', 'sandbox/advance', [200], { client_id: clientId, app_id: appId, seconds: ms / 1000 });
    }
    await time.advance(ms);
    return ms;
  }

  /**
   * Waits until all due work has completed, and resolves to the next step. Work that does not complete for long is skipped. The same step
   * must be found twice: an attempt that has just begun looks for a moment as if it were still waiting in its queue.
   */
  private async settled(): Promise<ClockStep | undefined> {
    const began = performance.now();
    let before: string | undefined;
    for (;;) {
      const { in_flight: inFlight, next } = await this.view();
      const waited = performance.now() - began;
      const isOverdue = next !== undefined && next.in_s <= 0;
      const isIdle = inFlight === 0 && (!isOverdue || waited > patienceMs.overdue);
      const found = isIdle ? `${next?.what ?? 'nothing'} ${next?.id ?? ''}` : undefined;
      if (found !== undefined && found === before) return next;
      before = found;
      if (waited > patienceMs.inFlight) return next;
      await pause(pollEveryMs);
    }
  }
}

function stepIn(next: unknown): ClockStep | undefined {
  const [what, id, inS] = [memberOf(next, 'what'), memberOf(next, 'id'), memberOf(next, 'in_s')];
  return typeof what === 'string' && typeof id === 'string' && typeof inS === 'number' ? { what, id, in_s: inS } : undefined;
}
