import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Polled {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A host app that answers each status poll after the same time, and counts them. */
export class PolledHostApp {
  readonly polls: Polled[] = [];
  private readonly server: Server;

  /** `wordOf`: how a payment stands, by its id. */
  constructor(answersInMs: number, wordOf: (id: string) => string) {
    this.server = createServer((request, response) => {
      const at = Date.now();
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { order_payment_id: id } = JSON.parse(Buffer.concat(chunks).toString()) as { order_payment_id: string };
        this.polls.push({ id, at });
        setTimeout(() => {
          response.setHeader('Content-Type', 'application/json');
          response.end(JSON.stringify({ order_payment_id: id, payment_status: wordOf(id) }));
        }, answersInMs);
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** The most polls that arrived within one second, wherever it begins. */
  maxInOneSecond(): number {
    const times = this.polls.map(({ at }) => at).sort((a, b) => a - b);
    let [max, from] = [0, 0];
    times.forEach((at, until) => {
      while (at - times[from]! >= 1000) from++;
      max = Math.max(max, until - from + 1);
    });
    return max;
  }

  /** Seconds from the first poll to the last one. */
  seconds(): number {
    const times = this.polls.map(({ at }) => at);
    return (Math.max(...times) - Math.min(...times)) / 1000;
  }
}
