/** One HTTP request, whole: what is in it is what is sent. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** When the answer must be there, in milliseconds since the epoch. */
  readonly deadline: number;
  /** The answer stands with its status: a body that cannot be read whole, in time and size, is an empty one. */
  readonly statusSuffices?: boolean;
}

/** One HTTP answer, read whole and not yet understood. */
export interface WireAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly contentEncoding: string;
  /** As it came; empty where there was none. */
  readonly retryAfter: string;
  readonly body: Uint8Array;
}

/** Sends bytes and reads bytes, within time and size (1 MiB), by one connection and without detours. Source: decisions §3, Time limits. */
export interface HttpTransport {
  /** Throws NoAnswer. */
  send(request: WireRequest): Promise<WireAnswer>;
}
