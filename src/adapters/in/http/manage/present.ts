type OptionalNames<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

/** The type of a record whose undefined members are absent. */
export type Present<T> = { [K in Exclude<keyof T, OptionalNames<T>>]: T[K] } & {
  [K in OptionalNames<T>]?: Exclude<T[K], undefined>;
};

/** The record without the members that are undefined. */
export function present<T extends object>(record: T): Present<T> {
  const kept: Partial<T> = {};
  for (const name of Object.keys(record) as (keyof T)[]) if (record[name] !== undefined) kept[name] = record[name];
  // Whatever is missing now was undefined, which the compiler cannot follow.
  return kept as Present<T>;
}
