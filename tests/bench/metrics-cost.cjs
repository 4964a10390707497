// Run by `npm run report:metrics`, over the build: what one call pays for being counted. It measures, and asserts nothing of time.
// Not a test of Jest: in its sandbox each look at a global costs ten times the measured time.
const { CallCounts } = require('../../dist/src/adapters/out/telemetry/call-counts.js');

const rounds = 7;
const turnsARound = 400_000;
const endpoints = ['connect', 'authorize', 'create_order_payment', 'get_payment_status', 'complete_order', 'hostapp_event'];
const steps = ['miniapp_token', 'exchange', 'create', 'status', 'webhook', 'event'];

/** Calls as they come: of 60 integrations in turn, each endpoint, of every length; one in twenty is refused. */
const calls = Array.from({ length: 1200 }, (_none, i) => {
  const isRefused = i % 20 === 0;
  const leg = {
    to: i % 2 === 0 ? 'miniapp' : 'hostapp',
    step: steps[i % steps.length],
    attempt: 1,
    startedAt: 0,
    ms: i % 400,
    status: 200,
  };
  const ending = isRefused ? { status: 400, errorCode: 'INVALID_INPUT' } : { status: 200, errorCode: undefined };
  const exchange = {
    call: endpoints[i % endpoints.length],
    at: 1_800_000_000_000 + i,
    ms: i % 500,
    checks: ['basic'],
    legs: [leg],
    ...ending,
  };
  return { exchange, leg, ids: JSON.stringify([`host_abcdef${i % 60}`, `app_${i % 60}`]) };
});

const counts = new CallCounts(100);
/** Ids are texts that have just been read, as in a call. */
const withIds = ({ exchange, ids }) => {
  [exchange.clientId, exchange.appId] = JSON.parse(ids);
  return exchange;
};
const sets = {
  'by endpoint (an answer)': [({ exchange: { call, status, ms } }) => counts.request(call, status, ms), ({ exchange }) => exchange.ms],
  'by integration (its record)': [(one) => counts.exchange(withIds(one)), withIds],
  'by partner call (a leg)': [({ leg }) => counts.leg(leg), ({ leg }) => leg.ms],
};

/** Nanoseconds of processor time of one turn, over all threads; the median of the rounds. */
function costOf(turn) {
  const found = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < turnsARound; i++) turn(calls[i % calls.length]);
    const { user, system } = process.cpuUsage(before);
    return ((user + system) * 1000) / turnsARound;
  });
  return found.sort((a, b) => a - b)[(rounds - 1) / 2];
}

let whole = 0;
for (const [name, [counted, idle]] of Object.entries(sets)) {
  const cost = costOf(counted) - costOf(idle);
  whole += cost;
  console.log(`${name}: ${(cost / 1000).toFixed(2)} µs`);
}
console.log(`a call with one leg: ${(whole / 1000).toFixed(2)} µs`);
