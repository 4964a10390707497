import type { Response } from 'express';
import { knownSession, scopeOf, viewerOf } from '../http/access';
import type { Listener, EventStreamHub } from './event-stream-hub';
import { ManageProblem } from '../http/problem';
import { type Mount, serve } from '../http/serve';
import { liveCalls } from './operations-calls';

/** Unsent bytes after which a slow listener is disconnected. */
const maxBufferedBytes = 65_536;

/** Serves events that name the topics that changed; clients then read the lists again. The stream ends with the session. */
export function liveRoutes(mount: Mount, hub: EventStreamHub): void {
  serve(mount, liveCalls, {
    listen: (req, res) => {
      const viewer = viewerOf(req);
      const who = { account: viewer.accountId ?? viewer.role, scope: scopeOf(req), session: knownSession(res)?.known.digest };
      const listener = listenerOn(res, who);
      if (!hub.add(listener)) throw new ManageProblem('unavailable', { detail: 'Too many listen', headers: { 'Retry-After': '30' } });
      res.on('close', () => {
        hub.remove(listener);
      });
      // Proxies must neither buffer the events nor close the stream between two heartbeats.
      res.status(200).set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
      res.flushHeaders();
      res.write(': listening\n\n');
    },
  });
}

function listenerOn(res: Response, who: Pick<Listener, 'account' | 'scope' | 'session'>): Listener {
  const write = (text: string): void => {
    if (res.writableLength > maxBufferedBytes) res.destroy();
    else res.write(text);
  };
  return {
    ...who,
    send: (topics) => {
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
