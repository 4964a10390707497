import type { Agent } from 'undici';
import type { Clock } from '../../../domain/shared/ports';
import { dispatch } from './dispatch';
import type { HttpTransport, WireAnswer, WireRequest } from './http-transport';
import { NoAnswer } from './no-answer';

/** HttpTransport straight on undici's connections. */
export class DirectTransport implements HttpTransport {
  constructor(private readonly deps: { connections: Agent; clock: Clock }) {}

  send(request: WireRequest): Promise<WireAnswer> {
    const remaining = request.deadline - this.deps.clock.now();
    if (remaining <= 0) return Promise.reject(new NoAnswer('connect-timeout', false));
    return dispatch(this.deps.connections, request, remaining);
  }
}
