// The load by wrk: as many calls as the answers allow, over all connections, for some seconds; or each request once.
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { createInterface } = require('node:readline');
const { requestText } = require('./http-text.cjs');

/** Longer than a load takes that ends with its last answer, and than an answer takes, in seconds. */
const [endless, mostS] = [3600, 20];

/** A request after a line that tells how many bytes it has. */
const counted = (text) => Buffer.from(`${text.length}\n${text}`, 'latin1');

async function byWrk({ url, requests, connections, seconds, once: isOnce }) {
  const folder = mkdtempSync(join(tmpdir(), 'pierhead-load-'));
  try {
    const file = join(folder, 'requests');
    const { host } = new URL(url);
    writeFileSync(file, Buffer.concat(requests.map((request) => counted(requestText(request, host)))));
    const extent = ['-t', '1', '-c', String(connections), '-d', `${isOnce ? endless : seconds}s`, '--timeout', `${mostS}s`];
    const script = ['-s', join(__dirname, 'wrk.lua'), url, '--', file, isOnce ? 'once' : 'turns'];
    return await heard(spawn('wrk', [...extent, ...script], { stdio: ['ignore', 'pipe', 'inherit'] }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function heard(wrk) {
  const ended = once(wrk, 'exit');
  let [startedAt, endedAt, figures] = [0, 0];
  for await (const line of createInterface({ input: wrk.stdout })) {
    if (line === 'FIRST') startedAt = Date.now();
    if (line === 'LAST' || line.startsWith('{')) endedAt ||= Date.now();
    if (line === 'LAST') wrk.kill('SIGINT');
    if (line.startsWith('{')) figures = JSON.parse(line);
  }
  const [code] = await ended;
  if (!figures) throw new Error(`wrk ended with ${code} and told nothing`);
  const { 200: ok = 0 } = figures.statuses;
  return { ...figures, ok, startedAt, endedAt };
}

module.exports = { byWrk };
