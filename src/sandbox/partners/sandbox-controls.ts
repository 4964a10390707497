import { Router, type RequestHandler } from 'express';
import { FaultDials } from './fault-dials';
import { readBody } from '../read-body';

/** State of a sandbox partner that a reset clears. */
export interface Forgetful {
  clear(): void;
}

/** Fault settings and reset of a sandbox partner, at `/sandbox`. */
export class SandboxControls {
  /** `GET` and `PUT /dials`, `POST /reset`. */
  readonly routes: RequestHandler;
  /** Applies the faults to calls. */
  readonly faults: RequestHandler;

  /** A reset clears `memories` and sets all faults to 0. */
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
