import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request or an answer on its way through a mutant. */
export interface MutantCall {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface MutantAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What a partner gets wrong: in what it reads, in what it says, or both. */
export interface Mutation {
  readonly reads?: (call: MutantCall) => MutantCall;
  readonly answers?: (answer: MutantAnswer, call: MutantCall) => MutantAnswer;
  /** Says it without asking the sound partner. */
  readonly instead?: (call: MutantCall) => MutantAnswer | undefined;
  /** Stands around the whole call. */
  readonly wrap?: (call: MutantCall, pass: () => Promise<MutantAnswer>) => Promise<MutantAnswer>;
}

export const answer = (status: number, body: object | string, type = 'application/json'): MutantAnswer => ({
  status,
  headers: { 'content-type': type },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

/** A sound partner behind a door that gets one thing wrong. */
export class MutantPartner {
  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async before(original: string, mutation: Mutation): Promise<MutantPartner> {
    const server = createServer((request, response) => {
      void (async () => {
        const body = await buffer(request);
        const call = { method: request.method ?? '', target: request.url ?? '', headers: request.headers, body };
        const answered = await meet(original, call, mutation);
        const { 'transfer-encoding': _, connection: __, ...headers } = answered.headers;
        const length = call.method === 'HEAD' ? {} : { 'content-length': String(answered.body.length) };
        response.writeHead(answered.status, { ...headers, ...length }).end(answered.body);
      })();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new MutantPartner(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, server);
  }

  close(): Promise<void> {
    return new Promise((closed) => {
      this.server.close(() => closed());
      this.server.closeAllConnections();
    });
  }
}

async function meet(original: string, given: MutantCall, { reads, answers, instead, wrap }: Mutation): Promise<MutantAnswer> {
  const call = reads?.(given) ?? given;
  const pass = async () => instead?.(call) ?? (await forward(original, call));
  const answered = await (wrap ? wrap(call, pass) : pass());
  return answers?.(answered, call) ?? answered;
}

function forward(original: string, { method, target, headers, body }: MutantCall): Promise<MutantAnswer> {
  const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...rest } = headers;
  return new Promise((resolve, reject) => {
    const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
    const sent = httpRequest(original + target, { method, headers: { ...rest, ...length }, agent: false }, (response) => {
      buffer(response).then((read) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
