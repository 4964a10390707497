import 'reflect-metadata';
import fc from 'fast-check';
import {
  Decimal,
  Flag,
  Id,
  JsonItems,
  JsonMembers,
  Nested,
  OneOf,
  Optional,
  Required,
  Text,
  TextList,
} from '../../../src/adapters/dto/decorators';
import { ItemList } from '../../../src/adapters/dto/item-list';
import { readDto } from '../../../src/adapters/dto/read-dto';
import { JsonNumber, JsonObject, type JsonArray } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { printJson } from '../../../src/domain/shared/print-json';
import { anything } from '../../support/json-model';

const object = (text: string): JsonObject => readJsonText(text) as JsonObject;
const problemsOf = (Dto: new () => object, text: string) => readDto(Dto, object(text)).problems;

class Address {
  @Required() @Text({ max: 100 }) city!: string;
}
class Trip {
  @Optional() @Nested(() => Address) from?: Address;
  @Required() @ItemList(() => Address, { max: 3 }) stops!: JsonArray;
  @Optional() @Text({ max: 9 }) note?: string;
  @Optional() @Flag() open?: boolean;
  @Optional() @OneOf(['a']) kind?: string;
  @Optional() @Id({ max: 30 }) id?: string;
  @Optional() @Decimal() price?: JsonNumber | string;
  @Optional() @TextList({ maxItems: 2, max: 9 }) tags?: string[];
  @Optional() @JsonMembers() extra?: JsonObject;
  @Optional() @JsonItems() lines?: JsonArray;
}

describe('a nested member', () => {
  it.each(['5', '1.5e3', '[]', '[{"city":"Oslo"}]', '"Oslo"', 'true', 'false'])('that is %s is refused and made no object of', (json) => {
    const { dto, problems } = readDto(Trip, object(`{"from":${json},"stops":[]}`));
    expect(problems).toEqual([{ path: 'from', rule: 'must be an object' }]);
    expect(dto.from).toBeUndefined();
  });

  it.each(['[{"city":"Oslo"}]', '[]', '5', '"Oslo"', 'true', 'null'])('of a list that is %s is refused, and the list with it', (json) => {
    const { dto, problems } = readDto(Trip, object(`{"stops":[{"city":"Oslo"},${json}]}`));
    expect(problems).toEqual([{ path: 'stops[1]', rule: 'must be an object' }]);
    expect(dto.stops).toBeUndefined();
  });

  it.each([
    ['{}', 'required'],
    ['{"stops":null}', 'required'],
    ['{"stops":{}}', 'must be a list'],
    ['{"stops":{"length":1,"0":{"city":"Oslo"}}}', 'must be a list'],
    ['{"stops":[{},{},{},{}]}', 'at most 3 items'],
  ])('that must be there: %s: %s', (text, rule) => {
    expect(problemsOf(Trip, text)).toEqual([{ path: 'stops', rule }]);
  });

  it('has no member that its class does not declare', () => {
    const { dto, problems } = readDto(Trip, object('{"stops":[],"from":{"city":"Oslo","__proto__":{"a":1},"constructor":{},"then":1}}'));
    expect(problems).toEqual([]);
    expect(Object.entries(dto.from ?? {})).toEqual([['city', 'Oslo']]);
    expect(dto.from?.constructor).toBe(Address);
  });
});

describe('JSON that is relayed', () => {
  it('is the very JSON that was read', () => {
    const json = object('{"stops":[],"price":1.10,"tags":["a"],"extra":{"n":1e400,"then":{},"__proto__":[]},"lines":[0.10,{}]}');
    const { dto, problems } = readDto(Trip, json);
    expect(problems).toEqual([]);
    for (const name of ['price', 'tags', 'extra', 'lines'] as const) expect(dto[name]).toBe(json.get(name));
  });

  it('keeps every digit of a number that is read as an id', () => {
    expect(readDto(Trip, object('{"stops":[],"id":123456789012345678901234567890}')).dto.id).toBe('123456789012345678901234567890');
  });

  it('is unchanged by being read, whatever it is', () => {
    fc.assert(
      fc.property(anything, ({ sent }) => {
        const json = object(`{"stops":[],"extra":{"of":${sent}}}`);
        const before = printJson(json);
        expect(readDto(Trip, json).dto.extra).toBe(json.get('extra'));
        expect(printJson(json)).toBe(before);
      }),
    );
  });
});

describe('any JSON instead of any member', () => {
  const names = ['from', 'stops', 'note', 'open', 'kind', 'id', 'price', 'tags', 'extra', 'lines'] as const;
  const isGood: Readonly<Record<(typeof names)[number], (value: unknown) => boolean>> = {
    from: (value) => value instanceof Address,
    stops: (value) => Array.isArray(value) && value.every((stop) => stop instanceof JsonObject),
    note: (value) => typeof value === 'string',
    open: (value) => typeof value === 'boolean',
    kind: (value) => value === 'a',
    id: (value) => typeof value === 'string',
    price: (value) => typeof value === 'string' || value instanceof JsonNumber,
    tags: (value) => Array.isArray(value) && value.every((tag) => typeof tag === 'string'),
    extra: (value) => value instanceof JsonObject,
    lines: (value) => Array.isArray(value),
  };

  it('is read as the declared type of the member, or is a problem of that member', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), anything, (name, { sent }) => {
        const { dto, problems } = readDto(Trip, object(`{${name === 'stops' ? '' : '"stops":[],'}"${name}":${sent}}`));
        const isAbsent = dto[name] === undefined && (sent === 'null' || problems.length > 0);
        expect(isAbsent || isGood[name](dto[name])).toBe(true);
        expect(problems.every(({ path }) => path.startsWith(name))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a class that declares nothing', () => {
  it('reads nothing', () => {
    class Undeclared {
      a?: string;
    }
    const { dto, problems } = readDto(Undeclared, object('{"a":"x"}'));
    expect([Object.keys(dto), problems]).toEqual([[], []]);
  });
});
