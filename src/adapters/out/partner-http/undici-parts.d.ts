/**
 * The parts of undici that calls to partners are made with, each by its own file: its index loads what it has for browsers' interfaces
 * besides (fetch, WebSocket, caches), three megabytes that a process would keep (ADR 049). They are what the index names.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';
  export default Agent;
}
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}
declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';
  export default buildConnector;
}
