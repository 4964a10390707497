type OptionalNames<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

/** The type of a record whose undefined members are absent. */
export type Present<T> = { [K in Exclude<keyof T, OptionalNames<T>>]: T[K] } & {
  [K in OptionalNames<T>]?: Exclude<T[K], undefined>;
};

/** The record without the members that are undefined. */
export function present<T extends object>(record: T): Present<T> {
  // What the filter does to the value, Present says of the type; the compiler cannot follow it through fromEntries.
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Present<T>;
}
