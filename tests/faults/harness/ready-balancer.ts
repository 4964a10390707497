import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** How often instances are asked whether they are ready, in milliseconds. */
export const checkEveryMs = 100;
const checkWithinMs = 2000;
/** Longer than a run: no caller finds its idle connection just closed. */
const callersStayMs = 1_800_000;

/**
 * A load balancer as the guide for operators asks for: it calls those instances in turn whose `/health/ready` answers 200, and keeps
 * connections to them open. It repeats nothing; what an instance breaks off, its caller sees broken off.
 */
export class ReadyBalancer {
  /** Requests that an instance has answered, by its URL. */
  readonly answered = new Map<string, number>();
  /** Requests that an instance has refused or broken off: which, and how. */
  readonly brokenOff: string[] = [];
  private readonly agent = new Agent({ keepAlive: true });
  private readonly server: Server;
  private readonly stopping = new AbortController();
  private readonly ready = new Set<string>();
  /** Those whose answer is awaited. */
  private readonly checking = new Set<string>();
  private turn = 0;

  /** `instances`: the URLs of those that there are now, ready or not. */
  private constructor(private readonly instances: () => readonly string[]) {
    this.server = createServer({ keepAliveTimeout: callersStayMs }, (received, response) => {
      this.forward(received, response);
    });
  }

  static async start(instances: () => readonly string[]): Promise<ReadyBalancer> {
    const balancer = new ReadyBalancer(instances);
    await Promise.all(instances().map((url) => balancer.check(url)));
    void balancer.keepChecking();
    await new Promise<void>((resolve) => balancer.server.listen(0, '127.0.0.1', resolve));
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    this.agent.destroy();
  }

  routesTo(url: string): boolean {
    return this.ready.has(url);
  }

  /** Looks at each instance by itself: one that is slow to answer keeps nobody from seeing that another stops. */
  private async keepChecking(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const there = this.instances();
      for (const url of [...there, ...this.ready.keys()]) {
        if (!there.includes(url)) this.ready.delete(url);
        else if (!this.checking.has(url)) void this.check(url);
      }
      await pause(checkEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private async check(url: string): Promise<void> {
    this.checking.add(url);
    const ready = await isReady(url);
    this.checking.delete(url);
    if (ready === true) this.ready.add(url);
    if (ready === false) this.ready.delete(url);
  }

  private forward(received: IncomingMessage, response: ServerResponse): void {
    const to = [...this.ready][this.turn++ % this.ready.size];
    if (to === undefined) {
      response.writeHead(502).end();
      return;
    }
    const { method = 'GET', url = '/', headers } = received;
    const { connection: _itsOwn, ...passed } = headers;
    const sent = request(to + url, { method, headers: passed, agent: this.agent }, (answer) => {
      this.answered.set(to, (this.answered.get(to) ?? 0) + 1);
      const { connection: _theirs, 'keep-alive': _forUs, ...back } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, back);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    sent.on('error', (error) => {
      this.brokenOff.push(`${to}: ${String(error)}`);
      response.destroy();
    });
    received.pipe(sent);
  }
}

/** Undefined: no answer came in time. On a busy machine that says nothing: as it was before, so be it. */
const isReady = (url: string): Promise<boolean | undefined> =>
  fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(checkWithinMs) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    (error: unknown) => (error instanceof Error && error.name === 'TimeoutError' ? undefined : false),
  );
