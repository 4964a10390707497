import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { BenchDatabase } from './bench-database';
import { setUpPairs, type BenchPairs } from './bench-partners';
import { BenchService } from './bench-service';
import { end, startListening } from './child-process';
import { LoadDriver } from './load/load-driver';
import type { Side } from './side';

/** The partners' back ends and what makes the load: the same for all that is measured. */
export class Surroundings {
  private constructor(
    readonly driver: LoadDriver,
    readonly stub: { readonly child: ChildProcess; readonly url: string; readonly port: number },
  ) {}

  static async start(): Promise<Surroundings> {
    return new Surroundings(LoadDriver.start(), await startListening(join(__dirname, 'stub-partners.cjs')));
  }

  /** The webhooks that came since they were last forgotten, how many different ones, and when the last one did. */
  async webhooks(): Promise<{ received: number; distinct: number; lastAt: number }> {
    return (await fetch(`${this.stub.url}/received`)).json() as Promise<{ received: number; distinct: number; lastAt: number }>;
  }

  /** What makes the load, on a database. */
  on(database: BenchDatabase) {
    return { database, driver: this.driver, others: [this.driver.pid, this.stub.child.pid ?? 0] };
  }

  async forgetWebhooks(): Promise<void> {
    await (await fetch(`${this.stub.url}/forget`)).arrayBuffer();
  }

  async stop(): Promise<void> {
    await this.driver.stop();
    await end(this.stub.child);
  }
}

/** A service on a database of its own, with its partners set up. */
export class Stage implements Side {
  private constructor(
    readonly context: Surroundings,
    readonly database: BenchDatabase,
    readonly service: BenchService,
    readonly pairs: BenchPairs,
  ) {}

  /** `flags`: of Node, for this service. */
  static async open(context: Surroundings, build: string, label: string, flags: readonly string[] = []): Promise<Stage> {
    const database = await BenchDatabase.open(label);
    try {
      return await Stage.on(context, build, { database, url: database.url }, flags);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** On a database that is there; `url`: how the service reaches it. */
  static async on(
    context: Surroundings,
    build: string,
    { database, url }: { readonly database: BenchDatabase; readonly url: string },
    flags: readonly string[] = [],
  ): Promise<Stage> {
    const service = await BenchService.onPostgres(build, url, {}, flags);
    return new Stage(context, database, service, await setUpPairs(service.url, context.stub.url));
  }

  get url(): string {
    return this.service.url;
  }

  complaints(): Promise<ReadonlyMap<string, number>> {
    return this.service.complaints();
  }

  allocatedDuring(work: () => Promise<void>): Promise<number> {
    return this.service.allocatedDuring(work);
  }

  /** The server under load when the service is called. */
  get loaded() {
    return { pid: this.service.pid, ...this.context.on(this.database) };
  }

  /** On the same database with the same partners, a process anew; this one is not to be used any more. */
  async restarted(build: string): Promise<Stage> {
    await this.service.stop();
    return new Stage(this.context, this.database, await BenchService.onPostgres(build, this.database.url), this.pairs);
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.database.close();
  }
}
