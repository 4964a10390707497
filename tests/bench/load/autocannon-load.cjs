// The load by autocannon, as `byWrk`.
const autocannon = require('autocannon');
const { figuresOf } = require('./call-times.cjs');

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

module.exports = { byAutocannon };
