import type { TestDatabase } from '../../support/postgres/database';
import { startServiceProcess, type ServiceProcess } from '../../support/service/service-process';

/** Serving processes on one database that can be killed, stopped and started again, as it happens to machines. */
export class Instances {
  /** Those that serve; an entry is empty while its process starts. */
  private readonly processes: (ServiceProcess | undefined)[] = [];

  private constructor(
    private readonly env: Readonly<Record<string, string>>,
    private readonly build: string | undefined,
  ) {}

  /** From today's build, or from another. The database must be migrated, unless `env` lets them do it. */
  static async start(
    database: TestDatabase,
    count: number,
    env: Readonly<Record<string, string>> = {},
    build?: string,
  ): Promise<Instances> {
    if (database.target.kind !== 'postgres') throw new Error('The embedded database serves one process');
    const instances = new Instances({ DATABASE_URL: database.target.url, MIGRATE: 'off', ...env }, build);
    await Promise.all(Array.from({ length: count }, (_, index) => instances.begin(index)));
    return instances;
  }

  get count(): number {
    return this.processes.length;
  }

  /** Those that serve now; never none, unless all were killed at once. */
  get serving(): readonly ServiceProcess[] {
    return this.processes.filter((index) => index !== undefined);
  }

  /** The one that serves, for the n-th call: in turn. */
  by(turn: number): ServiceProcess {
    const { serving } = this;
    const chosen = serving[turn % serving.length];
    if (!chosen) throw new Error('No process serves');
    return chosen;
  }

  /** kill -9. Its entry is empty until `begin`. */
  async kill(index: number): Promise<void> {
    const victim = this.processes[index];
    this.processes[index] = undefined;
    await victim?.end('SIGKILL');
  }

  /** Starts one anew at the index, of another build where one is given; it has another port. */
  async begin(index: number, build = this.build): Promise<void> {
    this.processes[index] = await startServiceProcess(this.env, build);
  }

  /** It stands still (SIGSTOP): it neither answers nor ends, and its connections stay open. */
  freeze(index: number): void {
    this.signal(index, 'SIGSTOP');
  }

  thaw(index: number): void {
    this.signal(index, 'SIGCONT');
  }

  /** Ends all with SIGTERM; their exit codes. */
  async stop(): Promise<(number | null)[]> {
    const codes = await Promise.all(this.serving.map((one) => one.end('SIGTERM')));
    this.processes.length = 0;
    return codes;
  }

  private signal(index: number, signal: NodeJS.Signals): void {
    const pid = this.processes[index]?.pid;
    if (pid !== undefined) process.kill(pid, signal);
  }
}
