import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { operatorToken } from './service';
import { shippedFlags } from './shipped-flags';

/** A service as it is shipped: a process of its own, from the build. */
export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** The serving processes that have come to listen, where there are several; some may have ended. */
  readonly listening: ReadonlySet<number>;
  /** Sends the signal and waits for the end; resolves to the exit code, or `null` after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

const todaysBuild = join(__dirname, '../../../dist');
const notify = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const upWithinMs = 30_000;

/** A process of the service that may not serve yet. */
export interface BegunProcess {
  readonly child: ChildProcess & { readonly pid: number; readonly stdout: Readable; readonly stderr: Readable };
  /** Its exit code, or `null` where a signal has ended it. */
  readonly ended: Promise<number | null>;
}

/** Starts `src/main.js` of a build on a free port and waits for nothing. */
export function beginServiceProcess(env: Readonly<Record<string, string>>, build = todaysBuild): BegunProcess {
  // A machine that does other work beside the tests is no overload to report.
  const still = { PORT: '0', METRICS_PORT: '0', SANDBOX: 'off', SHEDDING: 'off', LOG_LEVEL: 'info' };
  const fixed = { ...still, OPERATOR_TOKEN: operatorToken, ENCRYPTION_KEYS: notify };
  const { DATABASE_URL: _none, ...inherited } = process.env;
  const child = spawn(process.execPath, [...shippedFlags, join(build, 'src/main.js')], {
    env: { ...inherited, NODE_ENV: 'development', ...fixed, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child: child as BegunProcess['child'], ended };
}

/** Starts `src/main.js` of a build on a free port and waits until it listens. */
export function startServiceProcess(env: Readonly<Record<string, string>>, build?: string): Promise<ServiceProcess> {
  const { child, ended } = beginServiceProcess(env, build);
  return new Promise((resolve, reject) => {
    let output = '';
    const listening = new Set<number>();
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The service was not up in time: ${output}`));
    }, upWithinMs);
    const onData = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-20_000);
      for (const [, pid] of output.matchAll(/"message":"worker-listening".*"pid":(\d+)/g)) listening.add(Number(pid));
      const url = /"message":"listening".*"url":"([^"]+)"/.exec(output)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve({ url, pid: child.pid, listening, end: (signal) => endOf(child, signal, ended) });
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    void ended.then((code) => {
      clearTimeout(timer);
      reject(new Error(`The service ended with ${String(code)}: ${output}`));
    });
  });
}

function endOf(child: ChildProcess, signal: NodeJS.Signals, ended: Promise<number | null>): Promise<number | null> {
  child.kill(signal);
  return ended;
}
