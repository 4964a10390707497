import 'reflect-metadata';
import { listenForStop } from './composition/processes/stop-signal';
import { setV8Flags } from './composition/processes/v8-flags';

/** Runs the service as a process. Handles signals before it loads the rest, which takes half a second. */
export async function main(): Promise<void> {
  setV8Flags();
  const order = listenForStop();
  const { runService } = await import('./composition/processes/run-service.js');
  await runService(order);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    // A failed start is reported to the person who started the service: there may be no log yet.
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
