// Figures of a load whose calls are known one by one. Times are in milliseconds.

/** The value below which so many percent lie. */
const percentile = (sorted, percent) => sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;

function delaysOf(times) {
  const sorted = Float64Array.from(times).sort();
  return { p50: percentile(sorted, 50), p99: percentile(sorted, 99) };
}

function figuresOf({ times, statuses, broken, startedAt, endedAt }) {
  const { 200: ok = 0 } = statuses;
  return { requests: times.length, ok, broken, statuses, startedAt, endedAt, ...delaysOf(times) };
}

/** Second by second, by when each call was sent: since the first that counts. */
function delaysBySecond({ times, sentMs }) {
  const seconds = [];
  times.forEach((time, nth) => (seconds[Math.floor(sentMs[nth] / 1000)] ??= []).push(time));
  return Array.from(seconds, (second) => delaysOf(second ?? []));
}

module.exports = { delaysBySecond, figuresOf };
