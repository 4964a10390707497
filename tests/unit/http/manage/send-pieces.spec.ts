import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import express from 'express';
import { sendPieces } from '../../../../src/adapters/in/http/manage/http/send-pieces';

const piece = 'x'.repeat(65_536);
/** More than the buffers between two sockets hold. */
const many = 1_000;

describe('pieces of an answer', () => {
  let server: Server;
  let taken = 0;
  let ended: Promise<'returned' | 'whole'>;
  let sent: Promise<void>;

  beforeAll(async () => {
    const app = express();
    app.get('/', (_req, res) => {
      taken = 0;
      let end: (how: 'returned' | 'whole') => void;
      ended = new Promise((resolve) => (end = resolve));
      async function* pieces(): AsyncGenerator<string> {
        let how: 'returned' | 'whole' = 'returned';
        try {
          for (; taken < many; taken++) yield piece;
          how = 'whole';
        } finally {
          end(how);
        }
      }
      sent = sendPieces(res, pieces());
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  const begun = async (): Promise<IncomingMessage> => {
    const request = get({ port: (server.address() as AddressInfo).port, agent: false });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return answer;
  };

  it('are taken as fast as the caller reads', async () => {
    const answer = await begun();
    for (let turns = 0; turns < 2 * many; turns++) await turn();
    expect(taken).toBeLessThan(many);
    let bytes = 0;
    for await (const chunk of answer) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(many * piece.length);
    await expect(Promise.all([sent, ended])).resolves.toEqual([undefined, 'whole']);
  });

  it('are not taken any more when the caller has left, which is no failure', async () => {
    const answer = await begun();
    answer.destroy();
    await expect(Promise.all([sent, ended])).resolves.toEqual([undefined, 'returned']);
    expect(taken).toBeLessThan(many);
  });
});
