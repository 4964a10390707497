/** The time, in milliseconds since the Unix epoch. */
export interface Clock {
  now(): number;
}

/** New identifiers: unique, URL-safe, sortable by the time they were made, at most 64 characters. */
export interface IdSource {
  next(): string;
}

/** Facts of a log line. No secret, token, body or user field is ever one of them. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Structured lines with an event name, such as `sign-on.stored`. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}
