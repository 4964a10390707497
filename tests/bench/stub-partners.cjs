// The back ends of a host app and a miniapp that answer at once: a process of its own, bare node:http.
const { createServer } = require('node:http');

const asJson = (value) => Buffer.from(JSON.stringify(value));
const signedOn = asJson({ auth_token: 'mini-token', refresh_token: 'mini-refresh' });
const done = asJson({ ok: true });
const webhooks = { received: 0, ids: new Set(), lastAt: 0 };

/** The member's text in the body, which is known to have no escapes. */
const member = (body, name) => new RegExp(`"${name}":"([^"]*)"`).exec(body.toString('latin1'))?.[1] ?? 'none';

const answers = {
  '/auth': () => signedOn,
  '/token': ({ body }) => asJson({ access_token: `at-${member(body, 'auth_code')}`, refresh_token: `rt-${member(body, 'auth_code')}` }),
  // A code ends with the user's reference, and so does its access token.
  '/user': ({ headers }) =>
    asJson({ reference: (headers.authorization ?? '').split('-').pop(), email: 'user@example.com', first_name: 'Ada' }),
  '/create': ({ body }) => asJson({ order_payment_id: `pay-${member(body, 'miniapp_order_id')}` }),
  '/status': ({ body }) =>
    asJson({
      app_id: member(body, 'app_id'),
      client_id: member(body, 'client_id'),
      order_payment_id: member(body, 'order_payment_id'),
      payment_status: 'in_process',
    }),
  '/webhook': ({ headers }) => {
    webhooks.received++;
    webhooks.ids.add(headers['webhook-id']);
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

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const answer = answers[request.url]?.({ headers: request.headers, body: chunks.length === 1 ? chunks[0] : Buffer.concat(chunks) });
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json', 'content-length': answer?.length ?? 0 });
    response.end(answer);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit(0));
