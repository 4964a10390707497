// Makes the load: a process of its own. Told one job after the other, tells how each went.
const { byAutocannon } = require('./autocannon-load.cjs');
const { delaysBySecond, figuresOf } = require('./call-times.cjs');
const { pacedCalls } = require('./paced-calls.cjs');
const { byWrk } = require('./wrk-load.cjs');

const fullLoad = { wrk: byWrk, autocannon: byAutocannon }[process.argv[2]];

/** Calls at an even rate; others go beside them for as long. */
async function paced({ beside, ...job }) {
  const others = beside && paced({ ...job, ...beside });
  const calls = await pacedCalls(job);
  return { ...figuresOf(calls), bySecond: delaysBySecond(calls), beside: await others };
}

process.on('message', (job) => {
  (job.perSecond ? paced(job) : fullLoad(job)).then(
    (figures) => process.send({ figures }),
    (error) => process.send({ problem: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
