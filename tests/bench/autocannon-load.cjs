// The load by autocannon, as `byWrk`, and the figures of a load whose calls are known one by one.
const autocannon = require('autocannon');

/** The value below which so many percent lie, in milliseconds. */
const percentile = (sorted, percent) => sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;

function figuresOf({ times, statuses, broken, startedAt, endedAt }) {
  const sorted = Float64Array.from(times).sort();
  const { 200: ok = 0 } = statuses;
  return { requests: times.length, ok, broken, statuses, startedAt, endedAt, p50: percentile(sorted, 50), p99: percentile(sorted, 99) };
}

async function byAutocannon({ url, requests, connections, seconds, once }) {
  const [times, statuses] = [[], {}];
  let [broken, opened] = [0, 0];
  const startedAt = Date.now();
  // Autocannon looks once a second whether all is done: the last answer tells when it was.
  let endedAt = startedAt;
  const setupClient = (connection) => {
    const nth = opened++;
    connection.setRequests(requests.filter((_, index) => index % connections === nth));
    connection.on('response', (status, _bytes, ms) => {
      times.push(ms);
      endedAt = Date.now();
      statuses[status] = (statuses[status] ?? 0) + 1;
    });
    const fail = () => broken++;
    connection.on('connError', fail).on('timeout', fail);
  };
  const extent = once ? { amount: requests.length } : { duration: seconds };
  await autocannon({ url, connections, ...extent, setupClient });
  return figuresOf({ times, statuses, broken, startedAt, endedAt });
}

module.exports = { byAutocannon, figuresOf };
