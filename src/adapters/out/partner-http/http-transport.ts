import axios, { AxiosError, type AxiosInstance, type AxiosResponse } from 'axios';
import type { ClientRequest } from 'node:http';
import type { Readable } from 'node:stream';
import type { Clock } from '../../../domain/shared/ports';
import type { OutboundAgents } from './outbound-agents';

/** One HTTP request, whole: what is in it is what is sent. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
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

/** Why there was no answer, in one word (PartnerUnreachable). */
export type UnreachableCause = 'timeout' | 'dns' | 'connect' | 'reset' | 'tls' | 'address' | 'too-large' | 'redirect';

/** No answer came. Holds a word of ours and nothing of what was sent or received. */
export class NoAnswer extends Error {
  constructor(
    readonly reason: UnreachableCause,
    /** A connection kept from before was closed under the request: the partner has not seen it. */
    readonly staleConnection: boolean,
  ) {
    super(reason);
    this.name = 'NoAnswer';
  }
}

const largestAnswer = 1024 * 1024;

/** Sends bytes and reads bytes, within time and size, by one connection and without detours. Source: decisions §3, Time limits. */
export class HttpTransport {
  private readonly axios: AxiosInstance;
  private readonly clock: Clock;

  constructor(deps: { agents: OutboundAgents; clock: Clock }) {
    this.clock = deps.clock;
    this.axios = axios.create({
      ...deps.agents,
      adapter: 'http',
      proxy: false,
      maxRedirects: 0,
      validateStatus: () => true,
      transformRequest: [(data: unknown) => data],
      transformResponse: [(data: unknown) => data],
      responseType: 'arraybuffer',
      decompress: false,
      maxContentLength: largestAnswer,
      maxBodyLength: Infinity,
    });
  }

  /** Throws NoAnswer. */
  async send({ method, url, headers, body, deadline, statusSuffices = false }: WireRequest): Promise<WireAnswer> {
    const remaining = deadline - this.clock.now();
    if (remaining <= 0) throw new NoAnswer('timeout', false);
    // The time-out of axios does not bound an answer that drips; an AbortSignal.timeout would live on after the call.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), remaining);
    try {
      const request = { method, url, headers, data: body, signal: limit.signal };
      if (!statusSuffices) {
        const answer = await this.axios.request<Buffer>(request);
        return answerOf(answer, answer.data);
      }
      const answer = await this.axios.request<Readable>({ ...request, responseType: 'stream' });
      return answerOf(answer, await wholeOrNothing(answer.data));
    } catch (error) {
      // Nothing of axios' error goes further: it holds the URL, headers and body of the call.
      throw reduce(error, limit.signal.aborted);
    } finally {
      clearTimeout(timer);
    }
  }
}

function answerOf({ status, headers }: AxiosResponse, body: Uint8Array): WireAnswer {
  const { 'content-type': contentType, 'content-encoding': contentEncoding, 'retry-after': retryAfter } = headers;
  return { status, contentType: text(contentType), contentEncoding: text(contentEncoding), retryAfter: text(retryAfter), body };
}

async function wholeOrNothing(body: Readable): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  } catch {
    return Buffer.alloc(0);
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const reasons: Readonly<Record<string, UnreachableCause>> = {
  ADDRESS_REFUSED: 'address',
  CONNECT_TIMEOUT: 'connect',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EADDRNOTAVAIL: 'connect',
  ETIMEDOUT: 'connect',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ENODATA: 'dns',
};

function reduce(error: unknown, timedOut: boolean): NoAnswer {
  if (timedOut) return new NoAnswer('timeout', false);
  if (!(error instanceof AxiosError)) return new NoAnswer('reset', false);
  const { code = '', message, response } = error;
  if (message.startsWith('maxContentLength')) return new NoAnswer('too-large', false);
  // axios leaves the type of its request open; with the http adapter and no redirects it is Node's.
  const request = error.request as ClientRequest | undefined;
  const reason = code === 'EPROTO' && isShakingHands(request) ? 'tls' : reasonOf(error, code);
  const closed = reason === 'reset' && (code === 'ECONNRESET' || code === 'EPIPE');
  return new NoAnswer(reason, closed && request?.reusedSocket === true && response === undefined);
}

const reasonOf = (error: AxiosError, code: string): UnreachableCause =>
  isOfConnection(error) ? 'reset' : (reasons[code] ?? (isTls(code) ? 'tls' : 'reset'));

/** TLS has not been agreed upon yet, so nothing of the request was sent: its errors look like those of a connection in use. */
const isShakingHands = (request: ClientRequest | undefined): boolean =>
  (request?.socket as { secureConnecting?: boolean } | null | undefined)?.secureConnecting === true;

/** The connection was there and failed under the request: some codes alone do not tell this from one that never came about. */
const isOfConnection = ({ cause }: AxiosError): boolean =>
  ['read', 'write'].includes((cause as NodeJS.ErrnoException | undefined)?.syscall ?? '');

/** The codes of OpenSSL and of Node's certificate checks. */
const isTls = (code: string): boolean =>
  /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA)/.test(code);
