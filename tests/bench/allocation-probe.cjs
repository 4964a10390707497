// Loaded before the service (--require): measures what its heap is asked for between two signals, and does nothing otherwise.
// The figures of a measurement go into PROBE_FOLDER, a file for each process.
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { getHeapStatistics, GCProfiler } = require('node:v8');
const { isMainThread } = require('node:worker_threads');

let running;

/** The heap grows by allocations, and shrinks in collections alone. */
function allocated({ startedWith, collections }) {
  let [sum, last] = [0, startedWith];
  for (const { beforeGC, afterGC } of collections) {
    sum += beforeGC.heapStatistics.usedHeapSize - last;
    last = afterGC.heapStatistics.usedHeapSize;
  }
  return sum + getHeapStatistics().used_heap_size - last;
}

function toggle() {
  if (!running) {
    running = { profiler: new GCProfiler(), startedWith: getHeapStatistics().used_heap_size };
    running.profiler.start();
    return;
  }
  const collections = running.profiler.stop()?.statistics ?? [];
  const pauseMs = collections.reduce((sum, { cost }) => sum + cost / 1000, 0);
  const figures = { bytes: allocated({ ...running, collections }), collections: collections.length, pauseMs };
  running = undefined;
  writeFileSync(join(process.env.PROBE_FOLDER, `${process.pid}.json`), JSON.stringify(figures));
}

if (isMainThread) process.on('SIGUSR2', toggle);
