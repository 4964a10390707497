type OptionalNames<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

/** The type of a record without its undefined members. */
export type Present<T> = { [K in Exclude<keyof T, OptionalNames<T>>]: T[K] } & {
  [K in OptionalNames<T>]?: Exclude<T[K], undefined>;
};

/** Removes the undefined members of a record. */
export function present<T extends object>(record: T): Present<T> {
  const kept: Partial<T> = {};
  for (const name of Object.keys(record) as (keyof T)[]) if (record[name] !== undefined) kept[name] = record[name];
  // The compiler cannot see that only undefined members were removed.
  return kept as Present<T>;
}
