import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { operatorToken } from '../support/service/service';
import { shippedFlags } from '../support/service/shipped-flags';

/** A service in a process of its own, whose turns of the event loop are measured. */
export interface WatchedService {
  readonly port: number;
  readonly operatorToken: string;
  /** Milliseconds of processor time of the longest turn since it was last asked for. */
  longestTurnMs(): Promise<number>;
  /** Collects the garbage of earlier work, so that it does not count in the next turns. */
  collectGarbage(): Promise<void>;
  stop(): Promise<void>;
}

const many = 1_000_000;

/** The limits that a build knows by name. */
async function limitsOf(build: string): Promise<readonly string[]> {
  const settings = (await import(join(build, 'src/config/settings.js'))) as { defaultRateLimits: object };
  return Object.keys(settings.defaultRateLimits);
}

/** Starts the build in `build` on the embedded database. Limits of calls are far away, so that none hides what an input costs. */
export async function startWatched(build = resolve(__dirname, '../../dist')): Promise<WatchedService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pierhead-hostile-'));
  const { DATABASE_URL: _none, ...inherited } = process.env;
  const settings = {
    ...{ NODE_ENV: 'development', PORT: '0', METRICS_PORT: '0', SANDBOX: 'off', SHEDDING: 'off', LOG_LEVEL: 'info', DATA_DIR: dataDir },
    ...{ OPERATOR_TOKEN: operatorToken, PUBLIC_BASE_URL: 'http://platform.example', TRUSTED_PROXIES: '10.0.0.0/8' },
    RATE_LIMITS: JSON.stringify(Object.fromEntries((await limitsOf(build)).map((name) => [name, many]))),
  };
  const flags = [...shippedFlags, '--expose-gc', '--require', join(__dirname, 'loop-turns.cjs')];
  const child = spawn(process.execPath, [...flags, join(build, 'src/main.js')], {
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit');
  const port = await portOf(child);
  return {
    port,
    operatorToken,
    longestTurnMs: async () => (await ask(child, 'longest-turn')).longestTurnMs,
    collectGarbage: async () => {
      await ask(child, 'collect-garbage');
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function ask(child: ChildProcess, message: 'longest-turn' | 'collect-garbage'): Promise<{ readonly longestTurnMs: number }> {
  const answer = once(child, 'message') as Promise<[{ longestTurnMs: number }]>;
  child.send(message);
  return (await answer)[0];
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((found, fail) => {
    let output = '';
    const onData = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-20_000);
      const port = /"message":"listening".*"url":"[^"]+:(\d+)"/.exec(output)?.[1];
      if (port !== undefined) found(Number(port));
    };
    child.stdout?.on('data', onData);
    child.stderr?.on('data', onData);
    child.once('exit', (code) => fail(new Error(`The service ended with ${String(code)}: ${output}`)));
  });
}
