import { connect } from 'node:net';

/** A request as its bytes are sent: nothing of it is checked or changed. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** An answer; status 0: the connection ended without one. */
export interface RawAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const none: RawAnswer = { status: 0, type: '', body: '' };
const withinMs = 20_000;

/** Sends one request on a connection of its own, and reads until it ends; of a stream that goes on, its head. */
export function rawCall(port: number, { method, target, headers, body }: RawRequest): Promise<RawAnswer> {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: platform.example', 'Connection: close'];
  if (body.length > 0) lines.push(`Content-Length: ${String(body.length)}`);
  const head = [...lines, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const chunks: Buffer[] = [];
    const end = (): void => {
      socket.destroy();
      resolve(answerIn(Buffer.concat(chunks).toString('utf8')));
    };
    socket.setTimeout(withinMs, end);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (chunks.length === 1 && chunk.includes('text/event-stream')) end();
    });
    socket.on('close', end).on('error', end);
    // Not ended: Node's server gives up a request whose sender has ended its side.
    socket.write(head, 'latin1');
    socket.write(body);
  });
}

function answerIn(text: string): RawAnswer {
  const [, status = '0'] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
  if (status === '0') return none;
  const at = text.indexOf('\r\n\r\n');
  const head = text.slice(0, at);
  const [, type = ''] = /\r\ncontent-type: ([^\r;]*)/i.exec(head) ?? [];
  const body = text.slice(at + 4);
  return { status: Number(status), type, body: /\r\ntransfer-encoding: chunked/i.test(head) ? unchunked(body) : body };
}

const unchunked = (body: string): string => body.replace(/^[0-9a-f]+\r\n/i, '').replace(/\r\n[0-9a-f]+\r\n(?:\r\n)?/gi, '');
