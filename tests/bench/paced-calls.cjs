// Calls at an even rate, whatever the answers take: autocannon sends the calls of a second in one burst.
const { Agent, request } = require('node:http');
const { performance } = require('node:perf_hooks');
const { setTimeout: pause } = require('node:timers/promises');

const beatMs = 2;

function call(url, { path, headers, body }, agent) {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } });
    sent.once('error', reject);
    sent.once('response', (reply) => {
      reply.resume();
      reply.once('end', () => resolve(reply.statusCode));
    });
    sent.end(body);
  });
}

/**
 * `perSecond` calls for some seconds: how long each took, in milliseconds, and how it was answered. Those of the first `leadInS`,
 * which open the connections, are not told of.
 */
async function pacedCalls({ url, requests, connections, seconds, perSecond, leadInS = 0 }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  // A list that only grows: a set that calls enter and leave would keep them (ADR 037), and its collection would be measured as theirs.
  const [times, statuses, calls] = [[], {}, []];
  let broken = 0;
  const startedAt = performance.now();
  const one = async (prepared) => {
    const sentAt = performance.now();
    const status = await call(url, prepared, agent);
    const endedAt = performance.now();
    if (status === 200 && sentAt - startedAt < leadInS * 1000) return;
    times.push(endedAt - sentAt);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  let sent = 0;
  for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - startedAt) {
    for (; sent < (elapsed / 1000) * perSecond; sent++) {
      calls.push(one(requests[sent % requests.length]).catch(() => broken++));
    }
    await pause(beatMs);
  }
  await Promise.all(calls);
  agent.destroy();
  const endedAt = Date.now();
  return { times, statuses, broken, startedAt: endedAt - (performance.now() - startedAt) + leadInS * 1000, endedAt };
}

module.exports = { pacedCalls };
