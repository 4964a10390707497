// Calls at an even rate, whatever the answers take: autocannon sends the calls of a second in one burst, and wrk knows no rate. What it
// costs is taken from the cores that all share, and from the times that it tells: so it speaks no more of HTTP than it needs.
const { connect } = require('node:net');
const { performance } = require('node:perf_hooks');
const { setTimeout: pause } = require('node:timers/promises');
const { lengthOf, requestText } = require('./http-text.cjs');

const beatMs = 1;

/** One call after the other on a connection that stays. */
class Connection {
  constructor({ hostname, port }) {
    this.text = '';
    this.socket = connect(Number(port), hostname).setNoDelay(true).setEncoding('latin1');
    this.socket.on('data', (piece) => this.hear(piece));
    // Told with `close`, as is an end.
    this.socket.on('error', () => undefined);
    this.socket.once('close', () => this.told?.(undefined));
  }

  /** Resolves to the status; to `undefined` where there is no answer. */
  call(request) {
    return new Promise((resolve) => {
      this.told = resolve;
      this.socket.write(request, 'latin1');
    });
  }

  hear(piece) {
    this.text += piece;
    const length = lengthOf(this.text);
    if (length === 0) return;
    const status = Number(this.text.slice(9, 12));
    this.text = this.text.slice(length);
    this.told(status);
  }
}

/** As many connections as are needed, up to `most`; who comes when all of them have a call waits for one. */
class Connections {
  constructor(url, most) {
    [this.url, this.left, this.idle, this.waiting] = [url, most, [], []];
  }

  async call(request) {
    const connection = this.known() ?? (await this.next());
    const status = await connection.call(request);
    if (status === undefined) this.left++;
    else this.idle.push(connection);
    // One that broke leaves its place to another.
    if (this.waiting.length > 0) this.waiting.shift()(this.known() ?? this.open());
    return status;
  }

  /** One that has no call; those that were closed meanwhile leave their places. */
  known() {
    for (let last = this.idle.pop(); last; last = this.idle.pop()) {
      if (!last.socket.destroyed) return last;
      this.left++;
    }
    return undefined;
  }

  next() {
    return this.left > 0 ? this.open() : new Promise((resolve) => this.waiting.push(resolve));
  }

  open() {
    this.left--;
    return new Connection(this.url);
  }

  close() {
    for (const { socket } of this.idle) socket.destroy();
  }
}

/**
 * `perSecond` calls for some seconds: how long each took, in milliseconds, and how it was answered. Those of the first `leadInS`,
 * which open the connections, are not told of.
 */
async function pacedCalls({ url, requests, connections: most, seconds, perSecond, leadInS = 0 }) {
  const to = new URL(url);
  const connections = new Connections(to, most);
  const texts = requests.map((request) => requestText(request, to.host));
  // A list that only grows: a set that calls enter and leave would keep them (ADR 037), and its collection would be measured as theirs.
  const [times, statuses, calls] = [[], {}, []];
  let broken = 0;
  const startedAt = performance.now();
  const one = async (text) => {
    const sentAt = performance.now();
    const status = await connections.call(text);
    const endedAt = performance.now();
    if (status === undefined) broken++;
    if (status === undefined || (status === 200 && sentAt - startedAt < leadInS * 1000)) return;
    times.push(endedAt - sentAt);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  let sent = 0;
  for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - startedAt) {
    for (; sent < (elapsed / 1000) * perSecond; sent++) calls.push(one(texts[sent % texts.length]));
    await pause(beatMs);
  }
  await Promise.all(calls);
  connections.close();
  const endedAt = Date.now();
  return { times, statuses, broken, startedAt: endedAt - (performance.now() - startedAt) + leadInS * 1000, endedAt };
}

module.exports = { pacedCalls };
