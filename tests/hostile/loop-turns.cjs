// Preloaded in the service: measures the longest turn of its event loop, and tells it over the channel to the parent.
//
// What counts is processor time of the main thread, garbage collection in it included, as callers wait for it; the time that the
// machine gives to others does not count. A turn is taken to last from one timer of a millisecond to the next.
const { openSync, readSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (isMainThread && process.send) {
  // Its first number: nanoseconds that the thread has run. The thread of the process's own id is the main one.
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const bytes = Buffer.alloc(96);
  const ran = () => Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, 96, 0)).split(' ', 1)[0]) / 1e6;

  let [before, longest] = [ran(), 0];
  setInterval(() => {
    const now = ran();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1).unref();

  const told = {
    'longest-turn': () => ({ longestTurnMs: Math.max(longest, ran() - before) }),
    // Garbage of earlier work does not count in the next measurement.
    'collect-garbage': () => global.gc(),
  };
  process.on('message', (message) => {
    process.send(told[message]() ?? {});
    [before, longest] = [ran(), 0];
  });
  process.channel.unref();
  // Whoever started it is gone: nobody else would end it.
  process.on('disconnect', () => process.exit(1));
}
