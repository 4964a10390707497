type Row = readonly [path: string, value: string];

/** Flattens a JSON value to rows of a path and a value, in its own order. */
export function flatRows(value: unknown, path = ''): readonly Row[] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, inner]) =>
    flatRows(inner, isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`),
  );
}
