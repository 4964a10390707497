import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { UnderWay } from '../adapters/in/http/under-way';

/** The connections of a server, and the answers under way: a stop waits for them. */
export class OpenConnections {
  private readonly sockets = new Set<Socket>();
  private readonly answers = new UnderWay<ServerResponse>();
  /** The bytes written to a connection when its caller first failed to read, and the time of that. */
  private readonly unread = new WeakMap<Socket, { readonly written: number; readonly since: number }>();
  private lettingGo = false;
  /** Connections that were ever taken. */
  taken = 0;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.taken++;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** An answer is under way from now on. */
  answering(response: ServerResponse): void {
    if (this.lettingGo) letGo(response);
    const place = this.answers.enter(response);
    response.on('close', () => this.answers.leave(place));
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

  /** Closes connections whose caller has read nothing of the unsent rest for `ms`; in checks, each with the present time. */
  closeUnread(ms: number, now: number): void {
    for (const socket of this.sockets) {
      if (socket.writableLength === 0) continue;
      const seen = this.unread.get(socket);
      if (seen?.written !== socket.bytesWritten) this.unread.set(socket, { written: socket.bytesWritten, since: now });
      else if (now - seen.since >= ms) socket.destroy();
    }
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
