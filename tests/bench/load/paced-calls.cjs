// Calls at an even rate, whatever the answers take: autocannon sends the calls of a second in one burst, and wrk knows no rate. What it
// costs is taken from the cores that all share, and from the times that it tells: so it speaks no more of HTTP than it needs, and keeps
// nothing of a call but its time, as kept objects have to be collected.
const { connect } = require('node:net');
const { performance } = require('node:perf_hooks');
const { setTimeout: pause } = require('node:timers/promises');
const { lengthOf, requestText } = require('./http-text.cjs');

const beatMs = 1;
/** Answers of all connections, until they are taken out together. */
const arrived = Buffer.allocUnsafe(65_536);

/** One call after the other on a connection that stays; `told` hears of each how it was answered: `undefined`, where it was not. */
class Connection {
  constructor({ hostname, port }, told) {
    [this.told, this.text, this.sentAt] = [told, '', undefined];
    const callback = (length) => this.hear(arrived.latin1Slice(0, length));
    this.socket = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer: arrived, callback } });
    // Told with `close`, as is an end.
    this.socket.on('error', () => undefined);
    this.socket.once('close', () => this.sentAt !== undefined && this.end(undefined));
  }

  call(text, sentAt) {
    this.sentAt = sentAt;
    this.socket.write(text, 'latin1');
  }

  hear(piece) {
    this.text += piece;
    const length = lengthOf(this.text);
    if (length > 0) this.end(Number(this.text.slice(9, 12)), this.text.slice(length));
  }

  end(status, rest = '') {
    const { sentAt } = this;
    [this.sentAt, this.text] = [undefined, rest];
    this.told(this, status, sentAt);
  }
}

/**
 * Calls over as many connections as are needed, up to `most`; a call that comes when all of them have one waits for its turn, and that
 * counts to its time. `recorded` hears of each.
 */
class Calls {
  constructor(to, most, recorded) {
    Object.assign(this, { to, recorded, left: most, idle: [], waiting: [], open: 0, done: () => undefined });
  }

  send(text) {
    this.open++;
    this.give(text, performance.now());
  }

  give(text, sentAt) {
    const connection = this.known() ?? this.another();
    if (connection) connection.call(text, sentAt);
    else this.waiting.push([text, sentAt]);
  }

  /** One that has no call; those that were closed meanwhile leave their places. */
  known() {
    for (let last = this.idle.pop(); last; last = this.idle.pop()) {
      if (!last.socket.destroyed) return last;
      this.left++;
    }
    return undefined;
  }

  another() {
    if (this.left === 0) return undefined;
    this.left--;
    return new Connection(this.to, (connection, status, sentAt) => this.end(connection, status, sentAt));
  }

  end(connection, status, sentAt) {
    this.recorded(status, sentAt);
    // One that broke leaves its place to another.
    if (status === undefined) this.left++;
    else this.idle.push(connection);
    if (this.waiting.length > 0) this.give(...this.waiting.shift());
    if (--this.open === 0) this.done();
  }

  /** Resolves when all that was sent has ended. */
  async close() {
    if (this.open > 0) await new Promise((resolve) => (this.done = resolve));
    for (const { socket } of this.idle) socket.destroy();
  }
}

/**
 * `perSecond` calls for some seconds: when each was sent and how long it took, in milliseconds, and how it was answered. Those of the first
 * `leadInS`, which open the connections, are not told of.
 */
async function pacedCalls({ url, requests, connections, seconds, perSecond, leadInS = 0 }) {
  const to = new URL(url);
  const texts = requests.map((request) => requestText(request, to.host));
  const [times, sentMs] = [0, 1].map(() => new Float64Array(Math.ceil(seconds * perSecond) + 1));
  const statuses = {};
  let [sent, counted, broken] = [0, 0, 0];
  const startedAt = performance.now();
  // The last calls of those that are sent in one go may be sent after the end: they are of the last second nevertheless.
  const lastMs = (seconds - leadInS) * 1000 - 1;
  const calls = new Calls(to, connections, (status, sentAt) => {
    if (status === undefined) broken++;
    const sinceLeadIn = sentAt - startedAt - leadInS * 1000;
    if (status === undefined || (status === 200 && sinceLeadIn < 0)) return;
    sentMs[counted] = Math.min(Math.max(0, sinceLeadIn), lastMs);
    times[counted++] = performance.now() - sentAt;
    statuses[status] = (statuses[status] ?? 0) + 1;
  });
  for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - startedAt) {
    for (; sent < (elapsed / 1000) * perSecond; sent++) calls.send(texts[sent % texts.length]);
    await pause(beatMs);
  }
  await calls.close();
  const endedAt = Date.now();
  const beganAt = endedAt - (performance.now() - startedAt) + leadInS * 1000;
  return { times: times.subarray(0, counted), sentMs, statuses, broken, startedAt: beganAt, endedAt };
}

module.exports = { pacedCalls };
