/**
 * A value that can be used but not printed: logs, JSON and string templates show a placeholder.
 * Wherever a type says `Secret`, the text inside must never reach a log line, an error body or an exchange record.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself, for the one place that must send, seal or compare it. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }
}
