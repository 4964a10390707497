// A process of its own that inserts until it is killed, one row after the other, and prints the number of each row that the database
// has acknowledged. Started by embedded-kill.spec.ts with the data folder as its argument; needs the build.
const { openDatabase } = require('../../../dist/src/adapters/out/postgres/connection/open-database');
const { run } = require('../../../dist/src/adapters/out/postgres/connection/statement');

async function main() {
  const { db } = await openDatabase({ dataDir: process.argv[2], migrate: false, onFatal: () => process.exit(2) });
  await db.query('create table if not exists acknowledged (n int primary key)');
  const [{ next }] = await db.query('select coalesce(max(n), 0) + 1 as next from acknowledged');
  for (let n = next; ; n += 1) {
    await run(db, { name: 'insert-acknowledged', text: 'insert into acknowledged (n) values ($1)' }, [n]);
    process.stdout.write(`${n}\n`);
  }
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
