// Starts the benchmark.
require('./typescript.cjs');

// Started processes end with this one, when it is interrupted, too.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

require('./bench.ts')
  .main(process.argv.slice(2))
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
