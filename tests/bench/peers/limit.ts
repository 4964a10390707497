import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import { listening, maxPartnerConnections, type Listening, type PeerSettings } from './peer-settings';

/** The least that a connect can cost: node:http in and out, JSON read and printed, nothing checked, nothing stored. */
export function listen({ partnersUrl }: PeerSettings): Promise<Listening> {
  const { hostname, port } = new URL(partnersUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: maxPartnerConnections });
  const partner = { hostname, port, path: '/auth', method: 'POST', agent };
  const server = createServer((inbound, outbound) => {
    whenWhole(inbound, ({ user_data: user }) => {
      const sent = Buffer.from(JSON.stringify(user));
      const call = request({ ...partner, headers: headersOf(sent) }, (reply) => {
        whenWhole(reply, ({ auth_token: token, refresh_token }) => {
          const answer = Buffer.from(JSON.stringify({ token, refresh_token }));
          outbound.writeHead(200, headersOf(answer));
          outbound.end(answer);
        });
      });
      call.end(sent);
    });
  });
  return listening(server);
}

function whenWhole(message: IncomingMessage, then: (json: Record<string, unknown>) => void): void {
  const chunks: Buffer[] = [];
  message.on('data', (chunk: Buffer) => chunks.push(chunk));
  message.on('end', () => then(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>));
}

const headersOf = (body: Buffer) => ({ 'content-type': 'application/json', 'content-length': body.length });
