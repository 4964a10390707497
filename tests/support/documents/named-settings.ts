import { readSettings } from '../../../src/config/settings';

/** The names of all settings: what the reader of the environment asks for. */
export function namedSettings(): string[] {
  const names = new Set<string>();
  const note = (name: string | symbol): void => {
    if (typeof name === 'string') names.add(name);
  };
  readSettings(
    new Proxy<Record<string, string>>(
      {},
      {
        get: (_env, name) => (note(name), undefined),
        has: (_env, name) => (note(name), false),
      },
    ),
  );
  return [...names].sort();
}
