import 'reflect-metadata';
import {
  IsIn,
  IsOptional,
  Validate,
  ValidateBy,
  ValidateNested,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import {
  Decimal,
  Email,
  Flag,
  Id,
  JsonMembers,
  Nested,
  OneOf,
  Optional,
  Phone,
  Quantity,
  Required,
  Text,
  TextList,
} from '../../../src/adapters/dto/decorators';
import { ItemList } from '../../../src/adapters/dto/item-list';
import { readDto } from '../../../src/adapters/dto/read-dto';
import { JsonNumber, JsonObject, type JsonArray } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';

const object = (text: string): JsonObject => readJsonText(text) as JsonObject;
const problemsOf = (Dto: new () => object, text: string) => readDto(Dto, object(text)).problems;

class Numbered {
  @Required() @Quantity() quantity!: JsonNumber | string;
}
class Lines {
  @Required() @ItemList(() => Numbered) lines!: JsonArray;
}
it('the first hundred problems are reported', () => {
  const problems = problemsOf(Lines, `{"lines":[${Array(1_000).fill('{}').join()}]}`);
  expect(problems).toHaveLength(100);
  expect(problems.at(-1)).toEqual({ path: 'lines[99].quantity', rule: 'required' });
});

class Anything {
  @Optional() @Text({ min: 1, max: 3, pattern: /^[a-zé😀]+$/u, message: 'small letters only' }) text?: string;
  @Optional() @Id({ min: 1, max: 3 }) id?: string;
  @Optional() @Email() email?: string;
  @Optional() @Phone() phone?: string;
  @Optional() @Flag() flag?: boolean;
  @Optional() @Quantity() quantity?: JsonNumber | string;
  @Optional() @Decimal({ min: '1' }) decimal?: JsonNumber | string;
  @Optional() @OneOf(['paid', 'failed']) word?: string;
  @Optional() @JsonMembers({ maxBytes: 12 }) members?: JsonObject;
  @Optional() @TextList({ maxItems: 2, max: 3 }) list?: string[];
}

describe('one rule', () => {
  it.each([
    ['text', '"abc"', undefined],
    ['text', '"😀😀😀"', undefined],
    ['text', '"😀😀😀😀"', 'at most 3 characters'],
    ['text', '"abcdefgh"', 'at most 3 characters'],
    ['text', '""', 'at least 1 character'],
    ['text', '"aB"', 'small letters only'],
    ['text', '5', 'must be text'],
    ['text', 'true', 'must be text'],
    ['text', '["abc"]', 'must be text'],
    ['text', '{"length":2}', 'must be text'],
    ['id', '"abc"', undefined],
    ['id', '0', undefined],
    ['id', '17', undefined],
    ['id', '"017"', undefined],
    ['id', '999', undefined],
    ['id', '1000', 'at most 3 characters'],
    ['id', '""', 'at least 1 character'],
    ['id', '-1', 'must be text, or a whole number without sign, point and exponent'],
    ['id', '1.0', 'must be text, or a whole number without sign, point and exponent'],
    ['id', '1e2', 'must be text, or a whole number without sign, point and exponent'],
    ['id', '-0', 'must be text, or a whole number without sign, point and exponent'],
    ['id', 'true', 'must be text'],
    ['id', '[17]', 'must be text'],
    ['email', '"mia@example.com"', undefined],
    ['email', '""', undefined],
    ['email', '"mia@"', 'must be an e-mail address'],
    ['email', '"Mia <mia@example.com>"', 'must be an e-mail address'],
    ['email', `"${'a'.repeat(250)}@x.io"`, 'at most 254 characters'],
    ['email', '["mia@example.com"]', 'must be text'],
    ['phone', '"+4915112345678"', undefined],
    ['phone', '""', undefined],
    ['phone', '"+1"', 'must be a phone number in E.164 format'],
    ['phone', '"+0151"', 'must be a phone number in E.164 format'],
    ['phone', '"+1234567890123456"', 'must be a phone number in E.164 format'],
    ['phone', '"+49 151"', 'must be a phone number in E.164 format'],
    ['phone', '"+491511\\n"', 'must be a phone number in E.164 format'],
    ['phone', '491511', 'must be text'],
    ['flag', 'true', undefined],
    ['flag', 'false', undefined],
    ['flag', '"true"', 'must be true or false'],
    ['flag', '1', 'must be true or false'],
    ['quantity', '2.0', undefined],
    ['quantity', '"2"', undefined],
    ['quantity', '1.5', 'must be a whole number'],
    ['quantity', '999999999999999999999999', 'at most 2147483647'],
    ['decimal', '"1.50"', undefined],
    ['decimal', '1.5e1', undefined],
    ['decimal', '0.99', 'at least 1'],
    ['decimal', '"1e1"', 'must be a decimal'],
    ['word', '"paid"', undefined],
    ['word', '"PAID"', 'must be one of paid, failed'],
    ['word', '["paid"]', 'must be one of paid, failed'],
    ['members', '{"a":"éé"}', undefined],
    ['members', '{"a":"ééé"}', 'at most 12 bytes'],
    ['members', '[]', 'must be an object'],
    ['members', '"{}"', 'must be an object'],
    ['list', '["a","abc"]', undefined],
    ['list', '[]', undefined],
    ['list', '["abcd"]', 'at most 3 characters'],
    ['list', '["a",null]', 'must be text'],
    ['list', '["a","b","c"]', 'at most 2 items'],
    ['list', '"a"', 'must be a list'],
  ])('%s: %s: %s', (name, value, rule) => {
    expect(problemsOf(Anything, `{"${name}":${value}}`)).toEqual(rule === undefined ? [] : [{ path: name, rule }]);
  });

  it('by default takes JSON objects of 64 KiB', () => {
    class Holder {
      @Required() @JsonMembers() members!: JsonObject;
    }
    const sized = (bytes: number): JsonObject => JsonObject.of({ members: JsonObject.of({ a: 'x'.repeat(bytes - 8) }) });
    expect(readDto(Holder, sized(65_536)).problems).toEqual([]);
    expect(readDto(Holder, sized(65_537)).problems).toEqual([{ path: 'members', rule: 'at most 65536 bytes' }]);
  });
});

class Address {
  @Required() @Text({ max: 100 }) city!: string;
}
class Item {
  @Required() @Decimal() price!: JsonNumber | string;
  @Optional() @Text({ max: 9 }) note?: string;
}
class Order {
  @Required() @Text({ min: 1, max: 20 }) currency!: string;
  @Optional() @ItemList(() => Item, { max: 3 }) items?: JsonArray;
  @Optional() @Nested(() => Address) address?: Address;
}
class Body {
  @Required() @Nested(() => Order) order!: Order;
}

describe('reading', () => {
  it('an id as text, also if it is written as an integer', () => {
    class Dto {
      @Required() @Id({ max: 64 }) id!: string;
    }
    const ids = ['17', '"17"', '9007199254740993'].map((id) => readDto(Dto, object(`{"id":${id}}`)).dto.id);
    expect(ids).toEqual(['17', '17', '9007199254740993']);
  });

  it('only declared members, unchanged', () => {
    class Dto {
      @Required() @Text({ max: 9 }) a!: string;
      @Optional() @Quantity() b?: JsonNumber;
    }
    const { dto, problems } = readDto(Dto, object('{"z":1,"b":3,"a":"x","__proto__":{"polluted":1},"constructor":{"prototype":1}}'));
    expect(problems).toEqual([]);
    expect(dto).toBeInstanceOf(Dto);
    expect(Object.entries(dto)).toEqual([
      ['a', 'x'],
      ['b', new JsonNumber('3')],
    ]);
    expect('polluted' in dto).toBe(false);
    expect(dto.constructor).toBe(Dto);
  });

  it('null as if it were absent', () => {
    class Dto {
      @Required() @Text({ max: 9 }) a!: string;
      @Optional() @Text({ max: 9 }) b?: string;
    }
    expect(readDto(Dto, object('{"a":null,"b":null}'))).toEqual({ dto: new Dto(), problems: [{ path: 'a', rule: 'required' }] });
    expect(readDto(Dto, object('{}')).problems).toEqual([{ path: 'a', rule: 'required' }]);
  });

  it('nested objects as their classes, and lists of them as they came', () => {
    const json = object('{"order":{"currency":"EUR","address":{"city":"Köln"},"items":[{"price":"1"},{"price":2,"note":"x"}]}}');
    const { dto, problems } = readDto(Body, json);
    expect(problems).toEqual([]);
    expect(dto.order).toBeInstanceOf(Order);
    expect(dto.order.address).toBeInstanceOf(Address);
    expect(dto.order.address?.city).toBe('Köln');
    expect(dto.order.items).toBe((json.get('order') as JsonObject).get('items'));
  });

  it('every problem, with its path', () => {
    const text = '{"order":{"items":[{"price":"1"},{"price":"x","note":7},{}],"address":{"city":5}}}';
    expect(problemsOf(Body, text)).toEqual([
      { path: 'order.currency', rule: 'required' },
      { path: 'order.items[1].price', rule: 'must be a decimal' },
      { path: 'order.items[1].note', rule: 'must be text' },
      { path: 'order.items[2].price', rule: 'required' },
      { path: 'order.address.city', rule: 'must be text' },
    ]);
  });

  it.each([
    ['{}', [{ path: 'order', rule: 'required' }]],
    ['{"order":[]}', [{ path: 'order', rule: 'must be an object' }]],
    ['{"order":"x"}', [{ path: 'order', rule: 'must be an object' }]],
    ['{"order":1}', [{ path: 'order', rule: 'must be an object' }]],
    ['{"order":{"currency":"EUR","items":{}}}', [{ path: 'order.items', rule: 'must be a list' }]],
    [
      '{"order":{"currency":"EUR","items":[[{"price":"1"}],null,7]}}',
      [0, 1, 2].map((at) => ({ path: `order.items[${at}]`, rule: 'must be an object' })),
    ],
    ['{"order":{"currency":"EUR","items":[{},{},{},{}]}}', [{ path: 'order.items', rule: 'at most 3 items' }]],
  ])('%s is no such object', (text, problems) => {
    expect(problemsOf(Body, text)).toEqual(problems);
  });

  it('members of the class above, too', () => {
    class Above {
      @Required() @Nested(() => Address) address!: Address;
    }
    class Below extends Above {
      @Required() @Flag() flag!: boolean;
    }
    expect(problemsOf(Below, '{"address":{}}')).toEqual([
      { path: 'flag', rule: 'required' },
      { path: 'address.city', rule: 'required' },
    ]);
    expect(problemsOf(Above, '{"address":{"city":"Köln"}}')).toEqual([]);
  });

  it('takes plain decorators of class-validator, but none that it cannot check at once', () => {
    class Plain {
      @Required() @IsIn(['a']) a!: string;
    }
    expect(problemsOf(Plain, '{"a":"a"}')).toEqual([]);
    expect(problemsOf(Plain, '{"a":"b"}')).toHaveLength(1);

    class Undecided {
      @Text({ max: 1 }) a!: string;
    }
    class Both {
      @Required() @IsOptional() @Text({ max: 1 }) a!: string;
    }
    class Deep {
      @Required() @ValidateNested() a!: object;
    }
    class Each {
      @Required() @IsIn(['a'], { each: true }) a!: string[];
    }
    @ValidatorConstraint({ async: true })
    class Later implements ValidatorConstraintInterface {
      validate = async (): Promise<boolean> => Promise.resolve(false);
    }
    class Late {
      @Required() @Validate(Later) a!: string;
    }
    const refused: (new () => object)[] = [Undecided, Both, Deep, Each, Late];
    for (const Dto of refused) expect(() => readDto(Dto, object('{"a":"x"}'))).toThrow(TypeError);
  });

  it('takes a promise for no consent', () => {
    class Dto {
      @Required() @ValidateBy({ name: 'promised', validator: { validate: async () => Promise.resolve(true) } }) a!: string;
    }
    expect(problemsOf(Dto, '{"a":"x"}')).toEqual([{ path: 'a', rule: 'not valid' }]);
  });
});
