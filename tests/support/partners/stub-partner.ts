import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { DescribedOutbound } from '../described/described-outbound';
import { bytes, hangBeforeHeaders, invalidJson, refusalOf, reset, type AnswerOptions, type Behaviour } from './stub-behaviours';

const described = new DescribedOutbound();

/** One request as it came in, byte for byte. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly socket: Socket;
}

/** A scriptable partner back end on loopback that keeps a log of all that reaches it. */
export class StubPartner {
  readonly store: Received[] = [];
  private readonly behaviours = new Map<string, Behaviour>();
  private mood: Behaviour | undefined;
  private readonly undescribed = new Set<string>();
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => void this.receive(request, response));
    // A client that hangs up before its answer is no concern of a stub.
    this.server.on('clientError', (_error, socket) => socket.destroy());
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  /** Throws Error where something came that the document of partners' endpoints does not describe. */
  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    const problems = [...this.undescribed];
    if (problems.length > 0)
      throw new Error(`A partner got what docs/reference/openapi/partners.json does not describe:\n  ${problems.join('\n  ')}`);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  /** The requests for one path. */
  at(path: string): Received[] {
    return this.store.filter((received) => received.path === path);
  }

  /** How a path is answered from now on, whatever the method. */
  on(path: string, behaviour: Behaviour): this {
    this.behaviours.set(path, behaviour);
    return this;
  }

  /** How a path is answered now: to be wrapped by another behaviour. */
  usual(path: string): Behaviour {
    return this.behaviours.get(path) ?? nowhere;
  }

  /** How a path is answered while `work` runs; afterwards as before. */
  async during<T>(path: string, behaviour: Behaviour, work: () => Promise<T>): Promise<T> {
    const usual = this.behaviours.get(path);
    this.behaviours.set(path, behaviour);
    return work().finally(() => {
      if (usual) this.behaviours.set(path, usual);
    });
  }

  /** How every path is answered from now on, until `recover`. */
  always(behaviour: Behaviour): void {
    this.mood = behaviour;
  }

  refuse(code: string, options?: AnswerOptions): void {
    this.always(refusalOf(code, options));
  }

  garble(): void {
    this.always(invalidJson);
  }

  vanish(): void {
    this.always(reset);
  }

  hang(): void {
    this.always(hangBeforeHeaders);
  }

  recover(): void {
    this.mood = undefined;
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = (request.url ?? '').split('?')[0] ?? '';
    const { method = '', rawHeaders, headers, socket } = request;
    const received = { method, path, rawHeaders, headers, body: Buffer.concat(chunks), at: Date.now(), socket };
    this.store.push(received);
    for (const problem of described.problems(received)) this.undescribed.add(`${method} ${path}: ${problem}`);
    await (this.mood ?? this.behaviours.get(path) ?? nowhere)(received, response);
  }
}

const nowhere = bytes('text/plain', 'Not found', { status: 404 });
