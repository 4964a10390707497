// The migration of a version to come, run as that version would: a column, an index, and a value for every row, in three steps;
// each may be killed and run again. DATABASE_URL says where.
const { createDataSource } = require('../../../dist/src/adapters/out/postgres/connection/data-source');
const { migrate } = require('../../../dist/src/adapters/out/postgres/connection/migrate');

const rowsAtOnce = 20;

class AddNote2099000000001 {
  async up(runner) {
    await runner.query('alter table order_payments add column note text');
  }
}

// Built beside the load; one that was killed leaves an index that nobody uses, to be built anew.
class IndexNote2099000000002 {
  transaction = false;

  async up(runner) {
    await runner.query('drop index concurrently if exists order_payments_note');
    await runner.query('create index concurrently order_payments_note on order_payments (note)');
  }
}

// A few rows at a time, each time a transaction: nobody waits for it for long.
class FillNote2099000000003 {
  transaction = false;

  async up(runner) {
    const text = `update order_payments set note = 'n' where ctid = any(array(select ctid from order_payments where note is null limit ${rowsAtOnce}))`;
    for (;;) {
      const [, count] = await runner.query(text);
      if (count === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function main() {
  const db = createDataSource({ kind: 'postgres', url: process.env.DATABASE_URL, poolSize: 1, limits: 'none' });
  db.setOptions({ migrations: [...db.options.migrations, AddNote2099000000001, IndexNote2099000000002, FillNote2099000000003] });
  await db.initialize();
  const migrated = await migrate(db);
  await db.destroy();
  process.stdout.write(migrated.join(' '));
}

void main();
