/** How often `owner[name]` is called while `work` runs; the method itself does its work as ever. */
export async function callsOf(
  methods: readonly (readonly [owner: object, name: string])[],
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const undo = methods.map(([owner, name]) => {
    const own = Object.getOwnPropertyDescriptor(owner, name);
    const method = Reflect.get(owner, name) as (...given: unknown[]) => unknown;
    counts[name] ??= 0;
    const counted = function (this: unknown, ...given: unknown[]): unknown {
      counts[name] = (counts[name] ?? 0) + 1;
      return method.apply(this, given);
    };
    Object.defineProperty(owner, name, { value: counted, configurable: true, writable: true });
    return () => (own ? Object.defineProperty(owner, name, own) : Reflect.deleteProperty(owner, name));
  });
  try {
    await work();
  } finally {
    for (const one of undo) one();
  }
  return counts;
}
