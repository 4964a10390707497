// A thread that ends, fails or never answers, as the target of the request says.
const { parentPort } = require('node:worker_threads');

parentPort.on('message', ({ request: { target } }) => {
  if (target === '/exit') process.exit(1);
  if (target === '/throw') throw new Error('planted');
  while (target === '/loop');
  parentPort.postMessage({ verdict: 'unknown', causes: [], sentence: target, code: {}, checkingCode: {} });
});
