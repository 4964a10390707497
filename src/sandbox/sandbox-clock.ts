import { setTimeout as pause } from 'node:timers/promises';
import type { ManageCalls } from './manage-calls';
import { memberOf } from './read-body';
import type { WoundTime } from './wound-time';

/** What waits for its time: an attempt at a delivery, an ask about a payment, or a report of the sandbox host app. */
export interface ClockStep {
  readonly what: string;
  readonly id?: string;
  /** Seconds from the present; of a step that was taken, from the begin of the advance. */
  readonly in_s: number;
}

/** The clock as it is shown. */
export interface ClockView {
  /** How far it has been advanced since the start, in seconds. */
  readonly advanced_s: number;
  /** Attempts and asks that are being made. */
  readonly under_way: number;
  /** Absent: nothing waits. */
  readonly next?: ClockStep;
}

/** How far one advance went. */
export interface Advanced {
  /** In seconds; less than was asked for only where it had to stop (`mostSteps`). */
  readonly advanced_s: number;
  /** What fell due on the way, in order. */
  readonly steps: readonly ClockStep[];
}

interface Deps {
  readonly time: WoundTime;
  readonly manage: Pick<ManageCalls, 'send'>;
  /** The integrations of the sandbox host app for which time is let pass. */
  readonly pairs: readonly Pair[];
}

interface Pair {
  readonly clientId: string;
  readonly appId: string;
}

/** Of one advance, so that it ends. */
export const mostSteps = 500;
const lookEveryMs = 20;
/** How long to wait for an attempt under way, and for due work that has not begun, in milliseconds. */
const patienceMs = { underWay: 20_000, overdue: 3000 } as const;

/**
 * Lets time pass for the sandbox's integrations: in the service, through its manage API, and for the sandbox host app itself. It
 * halts wherever something falls due until that has happened, so that a week goes as it would have gone.
 */
export class SandboxClock {
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: Deps) {}

  /** Throws ManageCallFailed. */
  async view(): Promise<ClockView> {
    const { time, pairs } = this.deps;
    const ofService = await Promise.all(pairs.map((pair) => this.upcoming(pair)));
    const reportInMs = time.nextInMs();
    const ofHostApp = reportInMs === undefined ? undefined : { what: 'report', in_s: reportInMs / 1000 };
    const [next] = [...ofService.map((one) => one.next), ofHostApp].filter((step) => step !== undefined).sort((a, b) => a.in_s - b.in_s);
    const underWay = ofService.reduce((sum, one) => sum + one.underWay, 0);
    return { advanced_s: time.aheadMs / 1000, under_way: underWay, ...(next && { next }) };
  }

  private async upcoming({ clientId, appId }: Pair): Promise<{ underWay: number; next: ClockStep | undefined }> {
    const query = new URLSearchParams({ client_id: clientId, app_id: appId }).toString();
    const { body } = await this.deps.manage.send('GET', `sandbox/clock?${query}`, [200]);
    return { underWay: Number(memberOf(body, 'under_way')), next: stepIn(memberOf(body, 'next')) };
  }

  /** By so many seconds, to the millisecond; `next`: to where the next thing happens. One at a time. Throws ManageCallFailed. */
  advance(by: number | 'next'): Promise<Advanced> {
    const mine = this.turn.then(() => this.walk(by));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private async walk(by: number | 'next'): Promise<Advanced> {
    const steps: ClockStep[] = [];
    // Whole milliseconds, which add up exactly.
    let goneMs = 0;
    for (let next = await this.settled(); steps.length < mostSteps; next = await this.settled()) {
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

  /** Overdue work needs no winding. Resolves to `ms`. */
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
   * The next event, once all that is due has happened. One that does not happen for long is skipped. Found alike twice: for a
   * moment, an attempt that is just beginning looks as if it waited for the next claim in its lane.
   */
  private async settled(): Promise<ClockStep | undefined> {
    const began = performance.now();
    let before: string | undefined;
    for (;;) {
      const { under_way: underWay, next } = await this.view();
      const waited = performance.now() - began;
      const isOverdue = next !== undefined && next.in_s <= 0;
      const isQuiet = underWay === 0 && (!isOverdue || waited > patienceMs.overdue);
      const found = isQuiet ? `${next?.what ?? 'nothing'} ${next?.id ?? ''}` : undefined;
      if (found !== undefined && found === before) return next;
      before = found;
      if (waited > patienceMs.underWay) return next;
      await pause(lookEveryMs);
    }
  }
}

function stepIn(next: unknown): ClockStep | undefined {
  const [what, id, inS] = [memberOf(next, 'what'), memberOf(next, 'id'), memberOf(next, 'in_s')];
  return typeof what === 'string' && typeof id === 'string' && typeof inS === 'number' ? { what, id, in_s: inS } : undefined;
}
