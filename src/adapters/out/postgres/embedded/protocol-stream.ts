import { Duplex } from 'node:stream';
import { nextTurn } from '../../../json/turns';

/** Sends complete protocol messages and resolves to the database's answer. */
export type Exchange = (messages: Uint8Array<ArrayBuffer>) => Promise<Uint8Array | undefined>;

/** PostgreSQL protocol 3.0, "Message Formats": type byte, then a length that counts itself; the first message has no type. */
const LENGTH_BYTES = 4;
const TERMINATE = 'X'.charCodeAt(0);
/** A malformed length would make the stream buffer bytes forever; Postgres itself takes no message above 1 GiB. */
const MAX_MESSAGE_BYTES = 0x3fffffff;
/** Bytes of an answer that the driver reads in one turn, as much as a socket gives it. */
const BYTES_PER_TURN = 65_536;

/** Acts as the socket of the `pg` driver, connected to the embedded database. */
export class ProtocolStream extends Duplex {
  private unsent: Buffer = Buffer.alloc(0);
  private started = false;

  constructor(private readonly exchange: Exchange) {
    super({ allowHalfOpen: false });
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {
    // Answers are pushed when they arrive.
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.unsent = this.unsent.length > 0 ? Buffer.concat([this.unsent, chunk]) : chunk;
    this.forward().then(() => done(), done);
  }

  override _writev(items: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this._write(Buffer.concat(items.map(({ chunk }) => chunk)), '', done);
  }

  /**
   * Sends all complete messages in one batch. The driver's Terminate message is not forwarded, because the session outlives the connection.
   */
  private async forward(): Promise<void> {
    const { end, goodbye } = this.completeMessages();
    const messages = Uint8Array.from(this.unsent.subarray(0, end));
    this.unsent = goodbye ? Buffer.alloc(0) : this.unsent.subarray(end);
    if (messages.length > 0) {
      const answer = await this.exchange(messages);
      if (answer) await this.pushInTurns(answer);
    }
    if (goodbye && !this.destroyed) this.push(null);
  }

  /** Pushes an answer in slices, a turn of the event loop for each, because the driver reads a slice in the turn in which it is pushed. */
  private async pushInTurns(answer: Uint8Array): Promise<void> {
    for (let at = 0; at < answer.length; at += BYTES_PER_TURN) {
      if (at > 0) await nextTurn();
      if (this.destroyed) return;
      this.push(answer.subarray(at, at + BYTES_PER_TURN));
    }
  }

  private completeMessages(): { end: number; goodbye: boolean } {
    let end = 0;
    while (end < this.unsent.length) {
      if (this.started && this.unsent[end] === TERMINATE) return { end, goodbye: true };
      const lengthAt = this.started ? end + 1 : end;
      if (this.unsent.length < lengthAt + LENGTH_BYTES) break;
      const length = this.unsent.readInt32BE(lengthAt);
      if (length < LENGTH_BYTES || length > MAX_MESSAGE_BYTES) throw new Error(`A wire message cannot be ${length} bytes long`);
      if (this.unsent.length < lengthAt + length) break;
      this.started = true;
      end = lengthAt + length;
    }
    return { end, goodbye: false };
  }
}
