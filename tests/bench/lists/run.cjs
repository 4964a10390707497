// Starts the report on lists.
require('../typescript.cjs');

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

require('./report.ts')
  .main(process.argv.slice(2))
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
