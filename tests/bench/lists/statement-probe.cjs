// Loaded before the service (--require): tells, on PROBE_PORT, what processor time it has used so far and how many statements it has sent.
const { createServer } = require('node:http');
const { isMainThread } = require('node:worker_threads');
const { Client } = require('pg');

let statements = 0;
const { query } = Client.prototype;
Client.prototype.query = function (...args) {
  statements++;
  return query.apply(this, args);
};

if (isMainThread) {
  const server = createServer((_req, res) => {
    const { user, system } = process.cpuUsage();
    res.end(JSON.stringify({ statements, cpuMs: (user + system) / 1000 }));
  });
  server.listen(Number(process.env.PROBE_PORT), '127.0.0.1');
  server.unref();
}
