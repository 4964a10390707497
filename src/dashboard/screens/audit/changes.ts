/** An entry of `/audit`. */
export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly request_id: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly hash: string;
}

/** A changed member. `undefined` when it did not or does not exist. */
export interface Change {
  /** Path with dots between nested names. */
  readonly name: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** The differences between before and after, by name. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): readonly Change[] {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.filter((name) => old.get(name) !== now.get(name)).map((name) => ({ name, before: old.get(name), after: now.get(name) }));
}

/** The reason for the change, if there is one. */
export function reasonOf({ after }: Pick<AuditEntry, 'after'>): string | undefined {
  const reason = typeof after === 'object' && after !== null && 'reason' in after ? after.reason : undefined;
  return typeof reason === 'string' ? reason : undefined;
}

function leavesOf(value: unknown, path = ''): Map<string, string> {
  const isInner = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isInner) return new Map(value === undefined || value === null || path === '' ? [] : [[path, textOf(value)]]);
  return new Map(Object.entries(value).flatMap(([name, inner]) => [...leavesOf(inner, path === '' ? name : `${path}.${name}`)]));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
