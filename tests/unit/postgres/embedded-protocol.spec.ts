import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { ProtocolStream } from '../../../src/adapters/out/postgres/embedded/protocol-stream';

const startup = Uint8Array.from([0, 0, 0, 8, 0, 3, 0, 0]);
const query = (text: string): Buffer => {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const goodbye = Buffer.from([0x58, 0, 0, 0, 4]);

/** The socket that the driver sees, with a database that repeats what it is sent. */
describe('the wire stream', () => {
  const sent: string[] = [];
  let stream: ProtocolStream;

  beforeEach(() => {
    sent.length = 0;
    stream = new ProtocolStream((messages) => {
      sent.push(Buffer.from(messages).toString('latin1'));
      return Promise.resolve(Uint8Array.from(messages));
    });
  });
  afterEach(() => stream.destroy());

  const received = async (): Promise<string> => text(...((await stream.toArray()) as Buffer[]));

  const write = (bytes: Uint8Array): Promise<void> => new Promise((resolve) => stream.write(bytes, () => resolve()));
  const text = (...parts: Uint8Array[]): string => Buffer.concat(parts).toString('latin1');

  it('hands over whole messages only, however the bytes are cut', async () => {
    const all = Buffer.concat([startup, query('select 1'), query('select 2')]);
    for (const byte of all) await write(Uint8Array.of(byte));
    expect(sent).toEqual([text(startup), text(query('select 1')), text(query('select 2'))]);
    stream.write(goodbye);
    expect(await received()).toBe(text(all));
  });

  it('passes on together the messages that come together', async () => {
    await write(Buffer.concat([startup, query('select 1'), query('select 2').subarray(0, 7)]));
    await write(query('select 2').subarray(7));
    expect(sent).toEqual([text(startup, query('select 1')), text(query('select 2'))]);
  });

  it('ends at the Terminate message after it has answered earlier messages', async () => {
    await write(Buffer.concat([startup, query('select 1'), goodbye, query('never')]));
    expect(await received()).toBe(text(startup, query('select 1')));
    expect(sent).toEqual([text(startup, query('select 1'))]);
  });

  describe('a long answer', () => {
    const long = query('x'.repeat(200_000));

    it('arrives in slices, each in its own turn, before the answer to the next query', async () => {
      const slices: { readonly bytes: Buffer; readonly turn: number }[] = [];
      let turns = 0;
      stream.on('data', (bytes: Buffer) => slices.push({ bytes, turn: turns }));
      await write(startup);
      const written = Promise.all([write(long), write(query('next'))]);
      for (; slices.length < 6; turns++) await turn();
      await written;
      expect(text(...slices.map(({ bytes }) => bytes))).toBe(text(startup, long, query('next')));
      const ofLong = slices.slice(1, 5);
      expect(ofLong.map(({ bytes }) => bytes.length)).toEqual([65_536, 65_536, 65_536, long.length - 3 * 65_536]);
      expect(new Set(ofLong.map((slice) => slice.turn)).size).toBe(4);
    });

    it('ends where the connection does', async () => {
      const slices: Buffer[] = [];
      stream.on('data', (bytes: Buffer) => slices.push(bytes));
      stream.write(Buffer.concat([startup, long]));
      await once(stream, 'data');
      stream.destroy();
      await once(stream, 'close');
      for (let turns = 0; turns < 5; turns++) await turn();
      expect(slices).toHaveLength(1);
    });
  });

  it('breaks at a length that cannot be', async () => {
    const broken = once(stream, 'error');
    stream.write(Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0]));
    await expect(broken).resolves.toMatchObject([{ message: 'A wire message cannot be -1 bytes long' }]);
    expect(sent).toEqual([]);
  });

  it('breaks when the database does', async () => {
    const failing = new ProtocolStream(() => Promise.reject(new Error('gone')));
    const broken = once(failing, 'error');
    failing.write(startup);
    await expect(broken).resolves.toMatchObject([{ message: 'gone' }]);
  });
});
