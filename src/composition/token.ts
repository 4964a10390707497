import type { Bind, Container, ServiceIdentifier } from 'inversify';

/** A container key that remembers the type it stands for. */
export type Token<T> = ServiceIdentifier<T> & symbol & { readonly __provides: T };
export const token = <T>(name: string): Token<T> => Symbol(name) as Token<T>;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any token at all; its type is read back by inference
type Needs = Record<string, Token<any>>;
type Resolved<N extends Needs> = { [K in keyof N]: N[K] extends Token<infer T> ? T : never };

/** Binds `key` to the one `make(deps)`, its dependencies named instead of counted. */
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
