/** A filter of a record list: a parameter of the page's URL and of the manage API, under the same name. */
export interface Filter {
  readonly name: string;
  readonly title: string;
  /** The values to choose from; absent: any text. */
  readonly choices?: readonly (string | { readonly value: string; readonly label: string })[];
  /** Shown in an empty field. */
  readonly example?: string;
  /** Behind "More filters" until it holds something. */
  readonly rare?: boolean;
}

/** What the page's query asks for of these filters; empty ones ask for nothing. */
export function filtersIn(query: URLSearchParams, filters: readonly Filter[]): Record<string, string> {
  const asked = filters.map(({ name }) => [name, (query.get(name) ?? '').trim()] as const);
  return Object.fromEntries(asked.filter(([, value]) => value !== ''));
}

/** The query with one filter set, or taken away where the value is empty. */
export function withFilter(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(query);
  if (value.trim() === '') changed.delete(name);
  else changed.set(name, value.trim());
  return changed;
}

/** The query without any of these filters; what else it holds, such as the time range, stays. */
export function withoutFilters(query: URLSearchParams, filters: readonly Filter[]): URLSearchParams {
  const changed = new URLSearchParams(query);
  for (const { name } of filters) changed.delete(name);
  return changed;
}

/** The path of a screen with filters set: where a click on a chart or a tile leads. Undefined values are left out. */
export function filteredPath(path: string, filters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined && value !== '') query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** The value and the words of each choice. */
export const choicesOf = ({ choices = [] }: Filter): { value: string; label: string }[] =>
  choices.map((choice) => (typeof choice === 'string' ? { value: choice, label: choice.replaceAll('_', ' ') } : choice));
