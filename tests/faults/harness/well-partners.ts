import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Back ends of a host app (`/create`) and a miniapp (`/auth`) that answer at once, from a process of their own. */
export class WellPartners {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<WellPartners> {
    const process = fork(join(__dirname, 'answer-calls.cjs'), { execArgv: [] });
    const [{ port }] = (await once(process, 'message')) as [{ port: number }];
    return new WellPartners(process, `http://127.0.0.1:${String(port)}`);
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.disconnect();
    await ended;
  }
}
