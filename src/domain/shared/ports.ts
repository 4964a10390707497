/** The time, in milliseconds since the Unix epoch. */
export interface Clock {
  now(): number;
}

/** Makes identifiers: unique, URL-safe, sortable by creation time, at most 64 characters. */
export interface IdGenerator {
  next(): string;
}

/** Fields of a log line. They never hold a secret, token, body or user field. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes structured log lines with an event name, such as `sign-on.stored`. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}
