import type { Socket } from 'node:net';

/** The received bytes are not an HTTP response. */
export class NoFinalAnswer extends Error {
  constructor(readonly code: 'NOT_HTTP' | 'HEADERS_TOO_LARGE') {
    super('No final answer');
  }
}

const maxSkipped = 10;
const headEnd = '\r\n\r\n';
const protocol = 'HTTP/1.';
/** The length up to the end of the status code. */
const shortest = 'HTTP/1.1 200'.length;
const informational = /^HTTP\/1\.[01] 1[0-9]{2}$/;

/**
 * Removes informational responses (1xx) before the final one: at most 10 heads and `maxBytes` in total. 101 and an eleventh are errors,
 * because no request asks for them. Handles one response at a time. (undici does not accept `100 Continue`.) Source:
 * contract/partner-calls#reading-an-answer.
 */
export class InformationalAnswers {
  private isHead = false;
  private held: Buffer = nothing;
  private skipped = 0;
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Must be called before a request is sent: the head of its response comes next. */
  expect(): void {
    this.isHead = true;
    this.held = nothing;
    this.skipped = 0;
    this.bytes = 0;
  }

  /** Returns the received bytes without informational responses; empty when more bytes are needed. Throws NoFinalAnswer. */
  without(chunk: Buffer): Buffer {
    if (!this.isHead) return chunk;
    let rest = this.held.length > 0 ? Buffer.concat([this.held, chunk]) : chunk;
    this.held = nothing;
    while (rest.length >= shortest) {
      if (!this.isInformational(rest)) return this.release(rest);
      const end = rest.indexOf(headEnd);
      if (end < 0) break;
      this.skip(end + headEnd.length);
      rest = rest.subarray(end + headEnd.length);
    }
    if (!protocol.startsWith(rest.toString('latin1', 0, protocol.length))) return this.release(rest);
    if (this.bytes + rest.length > this.maxBytes) throw new NoFinalAnswer('HEADERS_TOO_LARGE');
    this.held = rest;
    return nothing;
  }

  /** Returns the buffered bytes when the connection ends. */
  release(bytes: Buffer = this.held): Buffer {
    this.isHead = false;
    this.held = nothing;
    return bytes;
  }

  private isInformational(bytes: Buffer): boolean {
    // The first digit of the status excludes most responses quickly.
    if (bytes[shortest - 3] !== 0x31) return false;
    const start = bytes.toString('latin1', 0, shortest);
    if (start.endsWith(' 101')) throw new NoFinalAnswer('NOT_HTTP');
    return informational.test(start);
  }

  private skip(length: number): void {
    this.bytes += length;
    if (this.bytes > this.maxBytes) throw new NoFinalAnswer('HEADERS_TOO_LARGE');
    if (++this.skipped > maxSkipped) throw new NoFinalAnswer('NOT_HTTP');
  }
}

const nothing: Buffer = Buffer.alloc(0);

/** Filters informational responses out of the socket's data. On an error, destroys the socket with NoFinalAnswer. */
export function skipInformational(socket: Socket, maxBytes: number): InformationalAnswers {
  const answers = new InformationalAnswers(maxBytes);
  // All received data passes through `push`, however it is read.
  const push = socket.push.bind(socket);
  socket.push = (chunk: Buffer | null): boolean => {
    if (chunk === null) {
      const held = answers.release();
      if (held.length > 0) push(held);
      return push(null);
    }
    try {
      const rest = answers.without(chunk);
      return rest.length === 0 || push(rest);
    } catch (error) {
      socket.destroy(error as NoFinalAnswer);
      return false;
    }
  };
  return answers;
}
