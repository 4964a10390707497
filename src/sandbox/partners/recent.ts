/** A map that keeps only the newest values, so that the memory of a sandbox that runs for weeks does not grow. */
export class Recent<Value> {
  private readonly values = new Map<string, Value>();

  constructor(private readonly kept = 10_000) {}

  set(key: string, value: Value): void {
    this.values.set(key, value);
    if (this.values.size <= this.kept) return;
    const [oldest] = this.values.keys();
    if (oldest !== undefined) this.values.delete(oldest);
  }

  get(key: string): Value | undefined {
    return this.values.get(key);
  }

  /** Oldest first. */
  all(): Value[] {
    return [...this.values.values()];
  }

  /** Removes and returns the value. */
  take(key: string): Value | undefined {
    const value = this.values.get(key);
    this.values.delete(key);
    return value;
  }
}
