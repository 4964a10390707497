import 'reflect-metadata';
import {
  Flag,
  HeaderText,
  ListOf,
  Nested,
  Optional,
  Required,
  Rule,
  SettingsList,
  sizedText,
  Text,
  Whole,
} from '../../../src/adapters/dto/decorators';
import { readWholeDto, unknownMembers } from '../../../src/adapters/dto/read-dto';

class Link {
  @Required() @Text(9) title!: string;
}
class Switches {
  @Optional() @Flag() sso?: boolean;
}
class Settings {
  @Required() @Text(9) name!: string;
  @Optional() @HeaderText(9) scheme?: string;
  @Optional() @Whole(1, 9) rate?: number;
  @Optional() @ListOf(sizedText(3), 2) words?: string[];
  @Optional() @SettingsList(() => Link, 2) links?: Link[];
  @Optional() @Nested(() => Switches) switches?: Switches;
  @Optional() @Rule({ schema: { type: 'object' }, problemOf: () => undefined }) colors?: Record<string, string>;
}

const read = (plain: object) => readWholeDto(Settings, { name: 'a', ...plain });
const problemsOf = (plain: object) => read(plain).problems;

describe('a body of settings', () => {
  it.each<[object, string, string]>([
    [{ name: '' }, 'name', 'must have 1 to 9 characters'],
    [{ name: null }, 'name', 'is required'],
    [{ name: undefined }, 'name', 'is required'],
    [{ scheme: ' a' }, 'scheme', 'must be printable ASCII without blanks around it'],
    [{ rate: 1.5 }, 'rate', 'must be a whole number from 1 to 9'],
    [{ rate: 10 }, 'rate', 'must be a whole number from 1 to 9'],
    [{ words: 'a' }, 'words', 'must be a list'],
    [{ words: ['a', 'b', 'c'] }, 'words', 'must have at most 2 items'],
    [{ words: ['a', 'abcd'] }, 'words', 'item 1 must have 1 to 3 characters'],
    [{ words: ['a', ['b']] }, 'words', 'item 1 must be text'],
    [{ links: {} }, 'links', 'must be a list of objects'],
    [{ links: [[{ title: 'a' }]] }, 'links', 'must be a list of objects'],
    [{ links: [null] }, 'links', 'must be a list of objects'],
    [{ links: [{ title: 'a' }, { title: 'b' }, { title: 'c' }] }, 'links', 'must have at most 2 items'],
    [{ links: [{ title: 'a' }, {}] }, 'links[1].title', 'is required'],
    [{ switches: [] }, 'switches', 'must be an object'],
    [{ switches: 'on' }, 'switches', 'must be an object'],
    [{ switches: { sso: 1 } }, 'switches.sso', 'must be true or false'],
    [{ size: 1 }, 'size', 'unknown member'],
    [{ size: null }, 'size', 'unknown member'],
    [{ switches: { on: true } }, 'switches.on', 'unknown member'],
    [{ links: [{ title: 'a', href: {} }] }, 'links[0].href', 'unknown member'],
  ])('%j: %s %s', (plain, path, rule) => {
    expect(problemsOf(plain)).toEqual([{ path, rule }]);
  });

  it('tells every problem, unknown members first', () => {
    const plain = { rate: 0, b: 1, a: { c: 1 }, switches: { sso: 'x', other: 1 }, name: 5 };
    expect(problemsOf(plain)).toEqual([
      { path: 'b', rule: 'unknown member' },
      { path: 'a', rule: 'unknown member' },
      { path: 'name', rule: 'must be text' },
      { path: 'rate', rule: 'must be a whole number from 1 to 9' },
      { path: 'switches.other', rule: 'unknown member' },
      { path: 'switches.sso', rule: 'must be true or false' },
    ]);
  });

  it('is read without the members that break a rule', () => {
    const { dto } = read({ rate: 0, 'b.c': 1, switches: { sso: 'x' }, links: [{ title: 'a' }, { title: '' }], words: ['a'] });
    expect(JSON.parse(JSON.stringify(dto))).toEqual({ name: 'a', switches: {}, words: ['a'] });
    expect(dto.switches).toBeInstanceOf(Switches);
  });

  it('keeps objects of any members as they are', () => {
    const colors = Object.assign(Object.create(null) as Record<string, string>, { then: 'x' });
    expect(read({ colors }).dto.colors).toBe(colors);
  });

  it('has its unknown members told alone', () => {
    expect(unknownMembers(Settings, { rate: 0, switches: null, links: null, size: null })).toEqual([
      { path: 'size', rule: 'unknown member' },
    ]);
  });
});
