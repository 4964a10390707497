/** A class whose members are declared with the decorators of this folder. */
export type DtoClass<T extends object> = new () => T;

/** What a nested member is read into. `type` is called late, so that classes may name each other. */
export interface NestedType {
  readonly type: () => DtoClass<object>;
  readonly list: boolean;
}

const nestedTypes = new WeakMap<object, Map<string, NestedType>>();

/** The class that the member is read into, where it was declared as nested, there or in a class above. */
export function nestedTypeOf(Dto: DtoClass<object>, member: string): NestedType | undefined {
  for (let prototype = Dto.prototype as object | null; prototype; prototype = Object.getPrototypeOf(prototype) as object | null) {
    const found = nestedTypes.get(prototype)?.get(member);
    if (found) return found;
  }
  return undefined;
}

/** Declares how a member is read. */
export function rememberNested(prototype: object, member: string, nested: NestedType): void {
  const members = nestedTypes.get(prototype) ?? new Map<string, NestedType>();
  members.set(member, nested);
  nestedTypes.set(prototype, members);
}
