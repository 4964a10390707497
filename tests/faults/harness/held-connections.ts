import { connect, type Socket } from 'node:net';
import { inQueues } from './driver';

const openedAtOnce = 100;
/** Each sends a byte a second; they are spread over it. */
const drips = 20;

/** Connections that are held open and of little use to anybody. */
export class HeldConnections {
  private readonly sockets: Socket[] = [];
  private dripping: NodeJS.Timeout | undefined;
  /** Closed by the other side. */
  lost = 0;

  constructor(private readonly port: number) {}

  /** Each has had one answer and keeps its connection, as pools of callers do. */
  async openIdle(count: number): Promise<void> {
    await inQueues(count, openedAtOnce, () => this.open('GET /health/live HTTP/1.1\r\nHost: held\r\n\r\n', true));
  }

  /** Each sends a body byte by byte, one a second. */
  async openSlow(count: number): Promise<void> {
    const head = 'POST /api/v1/connect/ HTTP/1.1\r\nHost: held\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';
    await inQueues(count, openedAtOnce, () => this.open(head, false));
    const slow = this.sockets.slice(-count);
    let turn = 0;
    this.dripping = setInterval(() => {
      turn = (turn + 1) % drips;
      for (let n = turn; n < slow.length; n += drips) if (slow[n]?.writable) slow[n]?.write(' ');
    }, 1000 / drips);
  }

  close(): void {
    clearInterval(this.dripping);
    for (const socket of this.sockets) socket.removeAllListeners('close').destroy();
  }

  private open(sent: string, answered: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => {
        this.sockets.push(socket);
        socket.write(sent, () => {
          if (!answered) resolve();
        });
      });
      socket.once('data', () => {
        resolve();
      });
      socket.resume();
      socket.once('error', reject);
      socket.once('close', () => this.lost++);
    });
  }
}
