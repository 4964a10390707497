import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OneWriteATurn } from '../../../src/adapters/out/logging/one-write-a-turn';

function ready() {
  const written: string[] = [];
  const to = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      written.push(text);
      done();
    },
  });
  const stream = new OneWriteATurn(to);
  return { written, stream };
}

it('writes the lines of one turn at once and in order', async () => {
  const { written, stream } = ready();
  for (const line of ['a\n', 'b\n', 'c\n']) stream.write(line);
  await nextTurn();
  await nextTurn();
  stream.write('d\n');
  await nextTurn();
  await nextTurn();
  expect(written).toEqual(['a\nb\nc\n', 'd\n']);
});

it('writes waiting lines when it is flushed, and none of them twice', async () => {
  const { written, stream } = ready();
  stream.write('a\n');
  stream.flush();
  expect(written).toEqual(['a\n']);
  await nextTurn();
  await nextTurn();
  expect(written).toEqual(['a\n']);
});
