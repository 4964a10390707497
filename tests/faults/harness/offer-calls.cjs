// Offers calls at a rate, whatever becomes of them, over raw connections: a process of its own, as the one that measures
// must not be too slow. Gets the calls by a message, reports the result by another.
const { connect } = require('node:net');
const { performance } = require('node:perf_hooks');
const { clearInterval, setInterval, setTimeout } = require('node:timers');

process.once('message', ({ port, calls, perSecond, ms, connections, untoldMs = 0, rotate = false }) => {
  const went = calls.map(() => ({}));
  const times = calls.map(() => []);
  const free = [];
  let [sent, leftOut, busy, ended, toldFrom] = [0, 0, 0, false, 0];

  const open = (opened = () => undefined) => {
    const socket = connect(port, '127.0.0.1', () => {
      free.push(one);
      opened();
    });
    const one = { socket, text: '', call: undefined, at: 0 };
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (piece) => hear(one, piece));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (one.call !== undefined) note(one, 'cut off');
      const at = free.indexOf(one);
      if (at >= 0) free.splice(at, 1);
      if (!ended) open();
    });
  };
  const hear = (one, piece) => {
    one.text += piece;
    const head = one.text.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(one.text)?.[1]);
    if (head < 0 || one.text.length < head + 4 + length) return;
    const lasts = !/connection: close/i.test(one.text);
    note(one, howIn(one.text));
    one.text = '';
    if (lasts) free.push(one);
  };
  /** The status; of a refusal with its code and cause, where the answer says them. */
  const howIn = (text) => {
    const status = text.slice(9, 12);
    if (status < '400' || text.length > 4096) return status;
    const [, code = ''] = /"error_code":"(\w+)"|$/.exec(text);
    const [, kind = ''] = /"urn:pierhead:problem:([\w-]+)"|$/.exec(text);
    const [, cause = ''] = /"(?:cause|detail)":"([\w-]+)"|$/.exec(text);
    return [`${status} ${code}${kind}`.trim(), cause].filter(Boolean).join('/');
  };
  const note = (one, how) => {
    const { call } = one;
    one.call = undefined;
    busy--;
    if (one.at < toldFrom) return;
    went[call][how] = (went[call][how] ?? 0) + 1;
    if (how === '200') times[call].push(performance.now() - one.at);
  };
  const send = () => {
    const one = rotate ? free.shift() : free.pop();
    if (!one) {
      leftOut++;
      return;
    }
    one.call = sent++ % calls.length;
    one.at = performance.now();
    busy++;
    one.socket.write(calls[one.call]);
  };

  /** A hundred at once: of more the machine drops some, and tries again after seconds. */
  const openAll = async () => {
    for (let n = 0; n < connections; n += 100) {
      const volley = Array.from({ length: Math.min(100, connections - n) }, () => new Promise((opened) => open(opened)));
      await Promise.all(volley);
    }
    await new Promise((settled) => setTimeout(settled, 500));
  };
  const offer = () => {
    const startedAt = performance.now();
    toldFrom = startedAt + untoldMs;
    let due = 0;
    const beat = setInterval(() => {
      const elapsed = performance.now() - startedAt;
      if (elapsed < ms) for (; due < (elapsed / 1000) * perSecond; due++) send();
      else if (busy === 0 || elapsed > ms + 30_000) {
        clearInterval(beat);
        ended = true;
        for (const all of times) all.sort((a, b) => a - b);
        const within = (share) => times.map((all) => all[Math.floor(all.length * share)] ?? 0);
        process.send({ sent, leftOut, unanswered: busy, went, p90: within(0.9), p99: within(0.99) }, () => process.exit(0));
      }
    }, 2);
  };
  void openAll().then(offer);
});
