/** A filter of a record list. The page's URL and the manage API use the same parameter name. */
export interface Filter {
  readonly name: string;
  readonly title: string;
  /** The values to choose from. Absent when any text is allowed. */
  readonly choices?: readonly (string | { readonly value: string; readonly label: string })[];
  /** Placeholder of an empty field. */
  readonly example?: string;
  /** Hidden behind "More filters" while it is empty. */
  readonly rare?: boolean;
}

/** The values of these filters in the page's query; empty ones are left out. */
export function filtersIn(query: URLSearchParams, filters: readonly Filter[]): Record<string, string> {
  const entered = filters.map(({ name }) => [name, (query.get(name) ?? '').trim()] as const);
  return Object.fromEntries(entered.filter(([, value]) => value !== ''));
}

/** Sets one filter in the query, or removes it for an empty value. */
export function withFilter(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(query);
  if (value.trim() === '') changed.delete(name);
  else changed.set(name, value.trim());
  return changed;
}

/** Removes these filters from the query; other parameters, such as the time range, stay. */
export function withoutFilters(query: URLSearchParams, filters: readonly Filter[]): URLSearchParams {
  const changed = new URLSearchParams(query);
  for (const { name } of filters) changed.delete(name);
  return changed;
}

/** The path of a screen with filters, for links from charts and tiles. Undefined values are left out. */
export function filteredPath(path: string, filters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined && value !== '') query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** Value and label of each choice. */
export const choicesOf = ({ choices = [] }: Filter): { value: string; label: string }[] =>
  choices.map((choice) => (typeof choice === 'string' ? { value: choice, label: choice.replaceAll('_', ' ') } : choice));
