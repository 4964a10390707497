/**
 * A value that cannot be printed by accident: logs, JSON and string templates show a placeholder. The text of a `Secret` must never reach
 * a log line, an error body or an exchange record.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself, for code that must send, seal or compare it. */
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

/** Stands for a stored secret that cannot be decrypted: `reveal` throws, so that it is never sent, sealed or compared as an empty one. */
export class UnreadableSecret extends Secret {
  constructor() {
    super('');
  }

  override reveal(): never {
    throw new Error('A stored secret cannot be decrypted');
  }
}
