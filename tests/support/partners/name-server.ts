import { createSocket, type Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';

/** What a name server says of a name: addresses, that it has none, that it cannot say, or nothing at all. */
export type NameAnswer = readonly string[] | 'none' | 'failure' | 'silence';

const typeA = 1;
const typeAaaa = 28;

/** A name server on loopback (UDP) that answers by `say`, and counts what it was asked. */
export class NameServer {
  /** `name type`, in the order asked. */
  readonly names: string[] = [];
  ttlS = 60;
  private readonly socket: Socket;

  constructor(private readonly answerFor: (name: string) => NameAnswer) {
    this.socket = createSocket('udp4');
    this.socket.on('message', (query, from) => {
      const reply = this.replyTo(query);
      if (reply) this.socket.send(reply, from.port, from.address);
    });
  }

  async start(port = 0, host = '127.0.0.1'): Promise<this> {
    await new Promise<void>((resolve) => this.socket.bind(port, host, resolve));
    return this;
  }

  get address(): string {
    return `127.0.0.1:${String(this.socket.address().port)}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.socket.close(resolve));
  }

  /** Source: RFC 1035 §4. */
  private replyTo(query: Buffer): Buffer | undefined {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = query.readUInt16BE(at + 1);
    const name = labels.join('.').toLowerCase();
    this.names.push(`${name} ${type === typeA ? 'A' : 'AAAA'}`);
    const answer = this.answerFor(name);
    if (answer === 'silence') return undefined;
    const addresses = Array.isArray(answer) ? (answer as readonly string[]).filter((one) => isIPv4(one) === (type === typeA)) : [];
    const code = answer === 'none' ? 3 : answer === 'failure' ? 2 : 0;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | code, 2);
    [1, addresses.length, 0, 0].forEach((count, i) => head.writeUInt16BE(count, 4 + i * 2));
    return Buffer.concat([head, query.subarray(12, at + 5), ...addresses.map((address) => this.record(address))]);
  }

  private record(address: string): Buffer {
    const data = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : Buffer.from(address.replaceAll(':', ''), 'hex');
    const head = Buffer.alloc(12);
    head.writeUInt16BE(0xc00c, 0);
    head.writeUInt16BE(isIPv4(address) ? typeA : typeAaaa, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt32BE(this.ttlS, 6);
    head.writeUInt16BE(data.length, 10);
    return Buffer.concat([head, data]);
  }
}
