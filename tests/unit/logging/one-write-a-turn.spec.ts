import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OneWriteATurn } from '../../../src/adapters/out/logging/one-write-a-turn';

it('writes the lines of one turn at once, in their order, and those of the next by themselves', async () => {
  const written: string[] = [];
  const to = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      written.push(text);
      done();
    },
  });
  const stream = new OneWriteATurn(to);
  for (const line of ['a\n', 'b\n', 'c\n']) stream.write(line);
  await nextTurn();
  await nextTurn();
  stream.write('d\n');
  await nextTurn();
  await nextTurn();
  expect(written).toEqual(['a\nb\nc\n', 'd\n']);
});
