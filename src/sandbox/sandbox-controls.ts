import { Router, type RequestHandler } from 'express';
import { FaultDials } from './fault-dials';
import { readBody } from './read-body';

/** What a sandbox partner remembers and can be made to forget. */
export interface Forgetful {
  clear(): void;
}

/** The dials of a sandbox partner and its reset, at `/sandbox`. */
export class SandboxControls {
  /** `GET` and `PUT /dials`, `POST /reset`. */
  readonly routes: RequestHandler;
  /** Lets the faults happen that the dials ask for. */
  readonly faults: RequestHandler;

  /** A reset empties `memories` and puts the dials to 0. */
  constructor(memories: readonly Forgetful[]) {
    const dials = new FaultDials();
    this.faults = dials.apply;
    this.routes = Router()
      .get('/dials', dials.show)
      .put('/dials', ...readBody, dials.set)
      .post('/reset', (_request, response) => {
        dials.reset();
        for (const memory of memories) memory.clear();
        response.json({ reset: true });
      });
  }
}
