import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { InFlightList } from '../../adapters/in/http/admission/in-flight-list';

/** The open connections of a server and the answers in flight, for which a stop waits. */
export class OpenConnections {
  private readonly sockets = new Set<Socket>();
  private readonly answers = new InFlightList<ServerResponse>();
  /** The bytes written to a connection when its caller first failed to read, and the time of that. */
  private readonly unread = new WeakMap<Socket, { readonly written: number; readonly since: number }>();
  private lettingGo = false;
  /** The number of connections accepted so far. */
  taken = 0;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.taken++;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** Registers an answer in flight. */
  answering(response: ServerResponse): void {
    if (this.lettingGo) letGo(response);
    const node = this.answers.enter(response);
    response.on('close', () => this.answers.leave(node));
  }

  /** Whether a complete request on the socket still needs its answer, or an answer is being sent. */
  isAnswering(socket: Socket): boolean {
    return this.answers.all().some((answer) => answer.socket === socket && (answer.headersSent || answer.req.complete));
  }

  /** From now on, each answer closes its connection and announces that. */
  letGo(): void {
    this.lettingGo = true;
    this.answers.all().forEach(letGo);
  }

  /** Closes connections whose caller has read nothing of the unsent data for `ms`. Must be called regularly, with the current time. */
  closeUnread(ms: number, now: number): void {
    for (const socket of this.sockets) {
      if (socket.writableLength === 0) continue;
      const seen = this.unread.get(socket);
      if (seen?.written !== socket.bytesWritten) this.unread.set(socket, { written: socket.bytesWritten, since: now });
      else if (now - seen.since >= ms) socket.destroy();
    }
  }

  /** Closes idle connections, including those that never sent a request. */
  closeIdle(): void {
    this.server.closeIdleConnections();
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}

function letGo(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader('Connection', 'close');
}
