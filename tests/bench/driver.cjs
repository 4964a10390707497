// Makes the load: a process of its own. Told one job after the other, tells how each went.
const { byAutocannon, figuresOf } = require('./autocannon-load.cjs');
const { pacedCalls } = require('./paced-calls.cjs');
const { byWrk } = require('./wrk-load.cjs');

const fullLoad = { wrk: byWrk, autocannon: byAutocannon }[process.argv[2]];

process.on('message', (job) => {
  const run = job.perSecond ? pacedCalls(job).then(figuresOf) : fullLoad(job);
  run.then(
    (figures) => process.send({ figures }),
    (error) => process.send({ problem: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
