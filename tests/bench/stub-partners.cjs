// The back ends of a host app and a miniapp that answer at once: a process of its own. What it costs is taken from the cores that all
// share, so it speaks no more of HTTP than those who call it do.
const { createServer } = require('node:net');
const { lengthOf } = require('./load/http-text.cjs');

const answered = (status, body) =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nkeep-alive: timeout=60\r\n\r\n${body}`;
const asJson = (value) => answered('200 OK', JSON.stringify(value));
const signedOn = asJson({ auth_token: 'mini-token', refresh_token: 'mini-refresh' });
const done = asJson({ ok: true });
const nothing = answered('404 Not Found', '');
const webhooks = { received: 0, ids: new Set(), lastAt: 0 };

/** The member's text in the request, which is known to have no escapes. */
const member = (request, name) => new RegExp(`"${name}":"([^"]*)"`).exec(request)?.[1] ?? 'none';
const header = (request, name) => new RegExp(`\r\n${name}: ([^\r]*)`, 'i').exec(request)?.[1] ?? '';

const answers = {
  '/auth': () => signedOn,
  '/token': (request) =>
    asJson({ access_token: `at-${member(request, 'auth_code')}`, refresh_token: `rt-${member(request, 'auth_code')}` }),
  // A code ends with the user's reference, and so does its access token.
  '/user': (request) =>
    asJson({ reference: header(request, 'authorization').split('-').pop(), email: 'user@example.com', first_name: 'Ada' }),
  '/create': (request) => asJson({ order_payment_id: `pay-${member(request, 'miniapp_order_id')}` }),
  '/status': (request) =>
    asJson({
      app_id: member(request, 'app_id'),
      client_id: member(request, 'client_id'),
      order_payment_id: member(request, 'order_payment_id'),
      payment_status: 'in_process',
    }),
  '/webhook': (request) => {
    webhooks.received++;
    webhooks.ids.add(header(request, 'webhook-id'));
    webhooks.lastAt = Date.now();
    return done;
  },
  '/events': () => done,
  // Asked by the benchmark alone.
  '/received': () => asJson({ received: webhooks.received, distinct: webhooks.ids.size, lastAt: webhooks.lastAt }),
  '/forget': () => {
    webhooks.received = 0;
    webhooks.ids.clear();
    return done;
  },
};

const server = createServer({ noDelay: true }, (socket) => {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (piece) => {
    text += piece;
    for (let length = lengthOf(text); length > 0; length = lengthOf(text)) {
      const request = text.slice(0, length);
      text = text.slice(length);
      const path = request.slice(request.indexOf(' ') + 1, request.indexOf(' HTTP/'));
      socket.write(answers[path]?.(request) ?? nothing, 'latin1');
    }
  });
  // Who calls may end at any time.
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit(0));
