import 'reflect-metadata';
import fc from 'fast-check';
import {
  DateTime,
  Decimal,
  Id,
  JsonItems,
  JsonMembers,
  Nested,
  OneOf,
  Optional,
  Required,
  Text,
} from '../../../src/adapters/dto/decorators';
import { readDto } from '../../../src/adapters/dto/read-dto';
import { readDtoList } from '../../../src/adapters/dto/read-dto-list';
import { JsonNumber, JsonObject, type Json } from '../../../src/domain/shared/json';

class Line {
  @Required() @Id({ min: 1, max: 5 }) id!: string;
  @Required() @Decimal() amount!: string | JsonNumber;
  @Optional() @OneOf(['paid', 'failed']) status?: string;
  @Optional() @Text({ min: 1, max: 3 }) note?: string;
  @Optional() @DateTime() at?: string;
  @Optional() @JsonItems({ maxBytes: 20 }) items?: Json;
  @Optional() @JsonMembers({ maxBytes: 20 }) more?: JsonObject;
}

/** Some are right for a member, some for none. */
const values: readonly (Json | undefined)[] = [
  ...['a', 'abc', '', 'paid', '1.50', '2026-02-28T10:00:00Z', '2026-02-30T10:00:00Z'],
  ...[new JsonNumber('17'), new JsonNumber('1e400'), true, null, undefined],
  ...[[], ['a'], JsonObject.of({}), JsonObject.of({ a: 'b' }), JsonObject.of({ a: 'x'.repeat(20) })],
];
const right = { id: 'a', amount: '1.50' };
const names = ['id', 'amount', 'status', 'note', 'at', 'items', 'more', 'unknown'];
const object = fc
  .dictionary(fc.constantFrom(...names), fc.constantFrom(...values), { maxKeys: 3 })
  .map((members) => JsonObject.of({ ...right, ...members }));

describe('a list of objects', () => {
  it('is read as each of its objects is', () => {
    fc.assert(
      fc.property(fc.array(object, { maxLength: 6 }), (objects) => {
        expect(readDtoList(Line, objects)).toEqual(objects.map((one) => readDto(Line, one)));
      }),
      { numRuns: 2000 },
    );
  });

  it('of right objects is read as each of them is', () => {
    const objects = [
      JsonObject.of({ ...right, id: new JsonNumber('17'), items: ['a'], unknown: 'x' }),
      JsonObject.of({ amount: new JsonNumber('2.00'), id: 'b', more: JsonObject.of({ a: new JsonNumber('1.0') }), note: null }),
    ];
    const readings = readDtoList(Line, objects);
    expect(readings.map(({ problems }) => problems)).toEqual([[], []]);
    expect(readings).toEqual(objects.map((one) => readDto(Line, one)));
    expect(readings[0]?.dto).toBeInstanceOf(Line);
    expect(readings[1]?.dto).not.toHaveProperty('note');
  });

  it('of a class with nested objects is refused', () => {
    class Holder {
      @Required() @Nested(() => Line) line!: Line;
    }
    expect(() => readDtoList(Holder, [])).toThrow(new TypeError('Holder.line cannot be read in a list'));
  });
});
