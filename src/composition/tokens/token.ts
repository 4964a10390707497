import type { Bind, Container, ServiceIdentifier } from 'inversify';

/** A container key with the type of its value. */
export type Token<T> = ServiceIdentifier<T> & symbol & { readonly __provides: T };
export const token = <T>(name: string): Token<T> => Symbol(name) as Token<T>;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any token at all; its type is read back by inference
type Needs = Record<string, Token<any>>;
/** The values of these container keys, by name. */
export type Resolved<N extends Needs> = { [K in keyof N]: N[K] extends Token<infer T> ? T : never };

/** Binds `key` to the single result of `make(deps)`, with dependencies by name instead of position. */
export function provide<T, N extends Needs>(bind: Bind, key: Token<T>, needs: N, make: (deps: Resolved<N>) => T): void {
  const names = Object.keys(needs);
  bind<T>(key)
    .toResolvedValue(
      (...values: unknown[]) => make(Object.fromEntries(names.map((name, i) => [name, values[i]])) as Resolved<N>),
      names.map((name) => needs[name] as symbol),
    )
    .inSingletonScope();
}

export const resolve = <T>(container: Container, key: Token<T>): T => container.get<T>(key);
