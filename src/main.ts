import 'reflect-metadata';
import { hearStopOrder } from './composition/stop-order';
import { setV8Flags } from './composition/v8-flags';

/** The service as a process. Hears signals before it loads the rest, which takes half a second. */
export async function main(): Promise<void> {
  setV8Flags();
  const order = hearStopOrder();
  const { runService } = await import('./composition/run-service.js');
  await runService(order);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    // Before the service stands only the person who started it can hear of this.
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
