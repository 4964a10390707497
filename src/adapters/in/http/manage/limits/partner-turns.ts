import type { RequestHandler, Response } from 'express';
import type { Viewer } from '../../../../../domain/accounts/viewer';
import { viewerIfKnown } from '../access';
import { ManageProblem } from '../problem';

interface Turns {
  running: number;
  readonly waiting: (() => void)[];
}

/** Calls of one partner's accounts that run at once in a process: fewer than the connections to the database (DATABASE_POOL). */
export const maxRunningCalls = 4;
/** Calls that wait for one of them to end: a page of the dashboard asks for several things at once. */
export const maxWaitingCalls = 32;

/** Lets a few calls of each partner's accounts run at once, in the order in which they came, so that no partner takes a process. */
export class PartnerTurns {
  private readonly partners = new Map<string, Turns>();

  /** Resolves when the call may run, to what ends its turn. Throws ManageProblem `too-many` where too many wait already. */
  async take(partner: string): Promise<() => void> {
    const turns = this.partners.get(partner) ?? { running: 0, waiting: [] };
    this.partners.set(partner, turns);
    if (turns.running < maxRunningCalls) turns.running++;
    else if (turns.waiting.length >= maxWaitingCalls) throw new ManageProblem('too-many', { headers: { 'Retry-After': '1' } });
    else await new Promise<void>((resolve) => turns.waiting.push(resolve));
    return () => this.end(partner, turns);
  }

  private end(partner: string, turns: Turns): void {
    // The turn is handed over, so that nobody slips in between.
    const next = turns.waiting.shift();
    if (next) next();
    else if (--turns.running === 0) this.partners.delete(partner);
  }
}

/** A call of a partner's account waits for its turn. The stream of news is no call that ends, and the operator's calls are not counted. */
export function partnerTurns(turns = new PartnerTurns()): RequestHandler {
  return async (req, res, next) => {
    const viewer = viewerIfKnown(res);
    const partner = viewer && partnerOf(viewer);
    if (partner === undefined || /^\/live\/?$/.test(req.path)) {
      next();
      return;
    }
    const end = await turns.take(partner);
    if (hasLeft(res)) {
      end();
      return;
    }
    res.once('close', end);
    next();
  };
}

/** The caller went away, or was answered, while the call waited. */
const hasLeft = (res: Response): boolean => res.destroyed || res.writableEnded;

function partnerOf(viewer: Viewer): string | undefined {
  if (viewer.role === 'operator') return undefined;
  return viewer.role === 'host-app' ? `host-app:${viewer.clientId}` : `miniapp:${viewer.appId}`;
}
