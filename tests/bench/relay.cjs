// The floor: node:http in, node:http out, parse and print; no check, no database. With an algorithm, one signature is verified for each
// request besides: what that costs in a server, where other work lies between two verifications.
const { generateKeyPairSync, sign, verify } = require('node:crypto');
const { Agent, createServer, request } = require('node:http');

const keyPairs = {
  ecdsa: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rsa2: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
};
const verifier = (algorithm) => {
  if (!algorithm) return () => true;
  const { privateKey, publicKey } = keyPairs[algorithm]();
  const text = Buffer.alloc(400, 'x');
  const signature = sign('sha256', text, privateKey);
  return () => verify('sha256', text, publicKey, signature);
};
const isSigned = verifier(process.argv[3]);

const partner = { host: '127.0.0.1', port: Number(process.argv[2]), path: '/auth', method: 'POST' };
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

const wholeOf = (stream, then) => {
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk));
  stream.on('end', () => then(JSON.parse(Buffer.concat(chunks))));
};

const headersOf = (body) => ({ 'content-type': 'application/json', 'content-length': body.length });

const server = createServer((inbound, outbound) => {
  wholeOf(inbound, ({ user_data: user }) => {
    if (!isSigned()) throw new Error('A signature was not verified');
    const asked = Buffer.from(JSON.stringify(user));
    const call = request({ ...partner, agent, headers: headersOf(asked) }, (reply) => {
      wholeOf(reply, ({ auth_token: token, refresh_token }) => {
        const answer = Buffer.from(JSON.stringify({ token, refresh_token }));
        outbound.writeHead(200, headersOf(answer));
        outbound.end(answer);
      });
    });
    call.end(asked);
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit(0));
