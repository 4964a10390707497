import 'reflect-metadata';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { growthPercent, leastGrowthPercent } from './composition/heap-growth';
import { hearStopOrder } from './composition/stop-order';

/**
 * How memory is collected, for one serving process a core that is busy for weeks (ADR 040). One thread collects what lives for short,
 * the one that makes it. What is old is collected once it has grown by an eighth, not by several times (R32), and by more where much is
 * kept. Objects are never made old at once, by what was seen while the process warmed up: one that is old and done with holds what it
 * refers to. And a lull gives nothing back: what comes after it would be served by code that has to be compiled anew, and collected
 * every few milliseconds.
 */
const collecting = [
  ...['--no-parallel-scavenge', `--heap-growing-percent=${String(leastGrowthPercent)}`, '--no-allocation-site-pretenuring'],
  ...['--no-memory-reducer', '--no-flush-bytecode'],
];
collecting.forEach((flag) => {
  setFlagsFromString(flag);
});

const lookAtHeapEveryMs = 10_000;

/** What is kept grows with the partners who call. */
function followHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${String(growthPercent(getHeapStatistics().used_heap_size))}`);
}

/** The service as a process. Hears signals before it loads the rest, which takes half a second. */
export async function main(): Promise<void> {
  const order = hearStopOrder();
  const { runService } = await import('./composition/run-service.js');
  setInterval(followHeap, lookAtHeapEveryMs).unref();
  await runService(order);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    // Before the service stands there is nobody to tell but the person who started it.
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
