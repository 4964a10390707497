import { objectPieces } from '../../../src/adapters/json/object-pieces';
import type { Json } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';

async function* read(...items: Json[]): AsyncGenerator<Json> {
  for (const item of items) yield item;
}

async function piecesOf(members: Parameters<typeof objectPieces>[0]): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of objectPieces(members)) pieces.push(piece);
  return pieces;
}

describe('an object that is printed in pieces', () => {
  it('holds its members and the items of its lists, and no undefined ones', async () => {
    const members = {
      ...{ none: undefined, 'a"': 'é', list: read(readJsonText('{"b":1.10}'), null, 'x'), empty: read() },
      ...{ plain: ['y'], alone: undefined, last: () => false },
    };
    expect(await piecesOf(members)).toEqual([String.raw`{"a\"":"é","list":[{"b":1.10},null,"x"],"empty":[],"plain":["y"],"last":false}`]);
  });

  it('comes in pieces of some size, and reads an item when it is its turn', async () => {
    let isRead = 0;
    async function* items(): AsyncGenerator<Json> {
      for (; isRead < 10; isRead++) yield 'x'.repeat(20_000);
    }
    const pieces = objectPieces({ list: items() });
    await pieces.next();
    expect(isRead).toBe(1);
    const lengths = [];
    for await (const { length } of pieces) lengths.push(length);
    expect(lengths).toHaveLength(5);
    expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThan(32_000);
  });
});
