// Asks for one page over many connections of their own, all at once, when it gets the port; reports how many were answered.
const { get } = require('node:http');

process.once('message', ({ port, count }) => {
  const one = () =>
    new Promise((resolve) => {
      const sent = get({ host: '127.0.0.1', port, agent: false }, (answer) => {
        answer.resume().on('end', () => resolve('answered'));
      });
      sent.on('error', (error) => resolve(error.code));
    });
  void Promise.all(Array.from({ length: count }, one)).then((all) => {
    const counts = {};
    for (const how of all) counts[how] = (counts[how] ?? 0) + 1;
    process.send(counts, () => process.exit(0));
  });
});
