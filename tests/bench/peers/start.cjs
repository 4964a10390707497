// One peer as a process of its own: `start.cjs <name>`, its settings as JSON in PEER_SETTINGS. It sends the port on which it listens.
require('../typescript.cjs');

const peers = {
  limit: () => require('./limit.ts'),
  tuned: () => require('./tuned/tuned.ts'),
  stack: () => require('./stack.ts'),
  naive: () => require('./naive.ts'),
};

peers[process.argv[2]]()
  .listen(JSON.parse(process.env.PEER_SETTINGS))
  .then(
    ({ port }) => process.send({ port }),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
process.on('disconnect', () => process.exit(0));
