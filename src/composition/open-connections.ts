import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { UnderWay } from '../adapters/in/http/under-way';

/** Who is connected to a server, and which answers are under way: whom to wait for when it stops. */
export class OpenConnections {
  private readonly sockets = new Set<Socket>();
  private readonly answers = new UnderWay<ServerResponse>();
  private lettingGo = false;
  /** Connections that were ever taken. */
  taken = 0;

  /** To be made before anybody else listens for requests of `server`. */
  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.taken++;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('request', (_request, response) => {
      if (this.lettingGo) letGo(response);
      const place = this.answers.enter(response);
      response.on('close', () => this.answers.leave(place));
    });
  }

  /** Whether a request has come in whole and is to be answered there, or an answer is being sent. */
  isAnswering(socket: Socket): boolean {
    return this.answers.all().some((answer) => answer.socket === socket && (answer.headersSent || answer.req.complete));
  }

  /** From now on each answer is the last of its connection, and says so. */
  letGo(): void {
    this.lettingGo = true;
    this.answers.all().forEach(letGo);
  }

  /** Closes the connections that wait for a request, those that never sent one too. */
  closeIdle(): void {
    this.server.closeIdleConnections();
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}

function letGo(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader('Connection', 'close');
}
