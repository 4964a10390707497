import { Writable } from 'node:stream';

/** Writes the lines of one turn of the event loop together, because each write is a system call. */
export class OneWriteATurn extends Writable {
  private lines: string[] = [];

  constructor(private readonly to: NodeJS.WritableStream) {
    super({ decodeStrings: false });
  }

  override _write(line: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.lines.length === 0)
      setImmediate(() => {
        this.flush();
      });
    this.lines.push(typeof line === 'string' ? line : line.toString('utf8'));
    done();
  }

  /** Writes the lines of this turn now. */
  flush(): void {
    if (this.lines.length === 0) return;
    const text = this.lines.join('');
    this.lines = [];
    this.to.write(text);
  }
}
