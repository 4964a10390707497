// A host app and a miniapp that answer at once, in a process of their own: those in the process of a test are slow while the test is busy.
// Tells its port by a message.
const { randomUUID } = require('node:crypto');
const { createServer } = require('node:http');

const answers = {
  '/auth': () => ({ auth_token: randomUUID(), refresh_token: randomUUID() }),
  '/create': () => ({ order_payment_id: randomUUID() }),
};

const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  req.resume().once('end', () => {
    const answer = answers[req.url];
    res.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer?.() ?? {}));
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => process.send({ port: server.address().port }));
process.once('disconnect', () => process.exit(0));
