import { declarationsOf } from './declared-members';
import { descriptionOfMember } from './description';
import type { DtoClass } from './rule';
import type { Members, Schema } from './schema';

/** Members that are shown in their written form, with the descriptions of the class. A trailing `?` is not part of the name. */
export function asWritten(Dto: DtoClass, of: Readonly<Record<string, Schema>>): Members {
  const declared = declarationsOf(Dto);
  return Object.fromEntries(
    Object.entries(of).map(([name, schema]) => {
      const description = descriptionOfMember(declared[name.replace(/\?$/, '')] ?? []);
      if (description === undefined) throw new Error(`${Dto.name} does not describe ${name}`);
      return [name, [schema, description]];
    }),
  );
}
