import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Draft, Outcome, Sending, Transport } from './ports';

/** The largest answer that the service reads, in bytes (contract/partner-calls#reading-an-answer). */
const largestAnswer = 1024 * 1024;
const pauseMs = 20;

const silent = { status: 0, contentType: '', contentEncoding: '', retryAfter: '', body: new Uint8Array(), reused: false };

/** Texts for connection errors in a report. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ECONNRESET: 'the connection was closed without an answer',
  EPIPE: 'the connection was closed without an answer',
  ADDRESS_REFUSED: 'the address may not be called',
};

/** Restricts the addresses that a run may call. Absent on a developer's own machine. */
export interface Gate {
  /** Why a URL may not be called; `undefined` when it may. */
  urlProblem(url: string): string | undefined;
  /** DNS lookup for connections; fails where an address may not be called. */
  lookupFor(port: string, protocol: string): LookupFunction;
}

/** Plain node:http: no redirects, no proxy, no retries. Reads an answer up to 1 MiB and within its deadline. */
export class RawHttpTransport implements Transport {
  constructor(private readonly gate?: Gate) {}

  async send(request: Draft, sending: Sending): Promise<Outcome> {
    return exchange(request, sending, { agent: false, gate: this.gate });
  }

  async sendInRow(requests: readonly Draft[], sending: Sending): Promise<readonly Outcome[]> {
    const secure = requests[0]?.url.startsWith('https:') === true;
    const agent = new (secure ? https : http).Agent({ keepAlive: true, maxSockets: 1 });
    try {
      const outcomes: Outcome[] = [];
      for (const request of requests) outcomes.push(await exchange(request, sending, { agent, gate: this.gate }));
      return outcomes;
    } finally {
      agent.destroy();
    }
  }
}

interface Connection {
  readonly agent: http.Agent | false;
  readonly gate: Gate | undefined;
}

function exchange(request: Draft, { deadlineMs, pieces = 1 }: Sending, { agent, gate }: Connection): Promise<Outcome> {
  const began = performance.now();
  const silence = (why: string): Outcome => ({ ...silent, silence: why, ms: performance.now() - began });
  if (gate?.urlProblem(request.url) !== undefined) return Promise.resolve(silence('the address may not be called'));
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(deadlineMs);
    const { method, url, body } = request;
    const headers = { ...request.headers, ...(body && { 'Content-Length': String(body.length) }) };
    const options = { method, headers, agent, signal, ...(gate && { lookup: lookupOf(gate, url) }) };
    const call = (url.startsWith('https:') ? https : http).request(url, options);
    call.once('response', (response) => {
      readAll(response).then(
        (read) => {
          resolve(read ? { ...answerOf(response, read), ms: performance.now() - began, reused: call.reusedSocket } : silence(tooLarge));
          if (!read) call.destroy();
        },
        (error: unknown) => resolve(silence(wordOf(error, deadlineMs))),
      );
    });
    call.on('error', (error) => resolve(silence(wordOf(error, deadlineMs))));
    void sendBody(call, body, pieces);
  });
}

function lookupOf(gate: Gate, text: string): LookupFunction {
  const { port, protocol } = new URL(text);
  return gate.lookupFor(port || (protocol === 'https:' ? '443' : '80'), protocol);
}

const tooLarge = 'the answer is larger than 1 MiB';

async function sendBody(call: http.ClientRequest, body: Uint8Array | undefined, pieces: number): Promise<void> {
  if (body && pieces > 1) {
    const size = Math.ceil(body.length / pieces);
    for (let at = 0; at < body.length && !call.destroyed; at += size) {
      call.write(body.subarray(at, at + size));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    call.end();
    return;
  }
  call.end(body);
}

/** Resolves to `undefined` when the answer is larger than the service reads. */
async function readAll(response: http.IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestAnswer) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const answerOf = ({ statusCode = 0, headers }: http.IncomingMessage, body: Uint8Array) => ({
  status: statusCode,
  contentType: headers['content-type'] ?? '',
  contentEncoding: headers['content-encoding'] ?? '',
  retryAfter: headers['retry-after'] ?? '',
  body,
});

function wordOf(error: unknown, deadlineMs: number): string {
  // Checks names instead of classes: Node's own errors may come from another realm.
  const { name = '', code = '' } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  if (name === 'AbortError' || name === 'TimeoutError') return `no answer within ${String(deadlineMs)} ms`;
  return words[String(code)] ?? (code === '' ? 'no answer came' : `no answer came (${String(code)})`);
}
