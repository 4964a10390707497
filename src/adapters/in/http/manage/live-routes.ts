import type { Response, Router } from 'express';
import { knownSession, partnersToo, scopeOf, viewerOf } from './access';
import type { Listener, LiveBoard } from './live-board';
import { ManageProblem } from './problem';
import { query } from './query';
import { serve } from './serve';

/** A listener that reads this slowly is let go, in bytes that wait for it. */
const mostWaiting = 65_536;

/** `/live`: what changes, as server-sent events of topics; what changed is then read where it is listed. It ends with the session. */
export function liveRoutes(router: Router, board: LiveBoard): void {
  serve(router, '/live', {
    get: partnersToo((req, res) => {
      query(req, {});
      const viewer = viewerOf(req);
      const who = { account: viewer.accountId ?? viewer.role, scope: scopeOf(req), session: knownSession(res)?.known.digest };
      const listener = listenerOn(res, who);
      if (!board.add(listener)) throw new ManageProblem('unavailable', { detail: 'Too many listen', headers: { 'Retry-After': '30' } });
      res.on('close', () => {
        board.remove(listener);
      });
      // What stands between must neither keep the events back nor close the stream between two heartbeats.
      res.status(200).set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
      res.flushHeaders();
      res.write(': listening\n\n');
    }),
  });
}

function listenerOn(res: Response, who: Pick<Listener, 'account' | 'scope' | 'session'>): Listener {
  const write = (text: string): void => {
    if (res.writableLength > mostWaiting) res.destroy();
    else res.write(text);
  };
  return {
    ...who,
    tell: (topics) => {
      write(`event: changed\ndata: ${JSON.stringify({ topics })}\n\n`);
    },
    beat: () => {
      write(': here\n\n');
    },
    end: (why) => {
      if (why === 'session-over') write('event: session-over\ndata: {}\n\n');
      res.end();
    },
  };
}
