// A process of its own, as the heap of one that runs tests holds what others have left: reports, in bytes of heap, the memory of names that
// came as parts of whole bodies. Started with --expose-gc on the built service.
const { ownText } = require('../../../dist/src/domain/shared/own-text.js');
const { RecordCache } = require('../../../dist/src/adapters/out/postgres/partners/record-cache.js');

const [bodies, bodyBytes] = process.argv.slice(2).map(Number);

/** A name as it comes: a part of a whole body. */
function nameIn(n) {
  const id = `client-${String(n).padStart(20, '0')}`;
  return Buffer.from(`${id}${'x'.repeat(bodyBytes)}`, 'latin1')
    .toString('latin1')
    .slice(0, id.length);
}

const names = (of) => Array.from({ length: bodies }, (_, n) => of(nameIn(n)));

async function cacheOf(loaded) {
  const cache = new RecordCache({ load: () => Promise.resolve(loaded) });
  for (let n = 0; n < bodies; n++) await cache.get(nameIn(n));
  return cache;
}

const works = {
  parts: () => names((name) => name),
  own: () => names(ownText),
  records: () => cacheOf({ record: 'record', rowVersion: '1' }),
  nothing: () => cacheOf({}),
};

async function main() {
  const kept = {};
  for (const [what, work] of Object.entries(works)) {
    global.gc();
    const before = process.memoryUsage().heapUsed;
    const left = await work();
    global.gc();
    kept[what] = process.memoryUsage().heapUsed - before;
    // It has to be there until then.
    if (!left) throw new Error('Nothing was left');
  }
  process.stdout.write(JSON.stringify(kept));
}
void main();
