import { described, pageOf, ref, text } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { rangeFilters } from '../http/filters';
import { onePage } from '../http/query';
import { MaybeReasonDto } from '../http/reason.dto';

/** The processes of the service, waiting work, and the state of the dependencies. */
export const operationsCalls = {
  listInstances: {
    at: 'GET /operations/instances',
    ...{ id: 'listInstances', summary: 'List the processes that serve', who: 'operator', filters: {}, gives: ref('Instances') },
    more: 'Those of all machines that use the same database.',
  },
  getInstance: {
    at: 'GET /operations/instances/{id}',
    ...{ id: 'getInstance', summary: 'Read how a process stands', who: 'operator', gives: ref('Instance') },
    more: 'As it announced itself last, every five seconds.',
  },
  drain: {
    at: 'POST /operations/instances/{id}/drain',
    ...{ id: 'drainInstance', summary: 'Have a process leave in order', who: 'operator', body: MaybeReasonDto, bodyOptional: true },
    more: 'It takes no new calls, ends those that it has, and exits; whoever runs the service starts another.',
    ...{ gives: ref('Instance'), status: 202 },
  },
  backlog: {
    at: 'GET /operations/backlog',
    ...{
      id: 'getBacklog',
      summary: 'Read what waits, now and before',
      who: 'operator',
      query: onePage(rangeFilters),
      gives: ref('Backlog'),
    },
    more: 'Deliveries of all endpoints, minute by minute, thinned out over long ranges.',
  },
  limits: {
    at: 'GET /operations/limits',
    ...{ id: 'getLimits', summary: 'Read how much of the limits is used', who: 'operator', gives: ref('Limits') },
    more: 'The present minute, over all processes.',
  },
  database: {
    at: 'GET /operations/database',
    ...{ id: 'getDatabase', summary: 'Read how the database stands', who: 'operator', gives: ref('DatabaseState') },
    more: 'Size, connections and migrations. No row is shown.',
  },
} satisfies Calls;

/** The key ring, and runs that encrypt everything with its first key. */
export const keyRingCalls = {
  listKeys: {
    at: 'GET /encryption-keys',
    ...{ id: 'listKeys', summary: 'List the keys that encrypt what is stored', who: 'operator', gives: ref('EncryptionKeys') },
    more: 'It counts the values of every table and opens none. No key is shown.',
  },
  list: {
    at: 'GET /encryption-keys/rewraps',
    ...{ id: 'listRewraps', summary: 'List runs that encrypt anew', who: 'operator', filters: {}, gives: pageOf('Rewrap') },
    more: 'Newest first, the last 20.',
  },
  start: {
    at: 'POST /encryption-keys/rewraps',
    ...{ id: 'startRewrap', summary: 'Encrypt everything with the first key', who: 'operator', body: MaybeReasonDto, bodyOptional: true },
    more: 'The service goes on serving meanwhile. 409 while another run goes on.',
    ...{ gives: ref('Rewrap'), status: 202, kinds: ['conflict'] },
  },
  get: {
    at: 'GET /encryption-keys/rewraps/{id}',
    ...{ id: 'getRewrap', summary: 'Read how far a run is', who: 'operator', gives: ref('Rewrap') },
    more: 'Column by column, with what could not be read.',
  },
  cancel: {
    at: 'POST /encryption-keys/rewraps/{id}/cancel',
    ...{ id: 'cancelRewrap', summary: 'Cancel a run; one that has ended stays as it is', who: 'operator', gives: ref('Rewrap') },
    more: 'What was encrypted anew stays so; another run takes up the rest.',
  },
} satisfies Calls;

/** Server-sent events that name what changed. */
export const liveCalls = {
  listen: {
    at: 'GET /live',
    ...{ id: 'listen', summary: 'Be told what changes', who: 'everyone', contentType: 'text/event-stream' },
    more: 'Server-sent events named `changed`, their data `{"topics": […]}`: what changed is then read where it is listed. It ends after a minute: come again; after an event named `session-over`, only with another session.',
    gives: described('A stream of events.', text),
  },
} satisfies Calls;
