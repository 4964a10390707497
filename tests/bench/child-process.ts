import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Has a process end when this one does, however that comes about. */
export function endsWithUs<T extends ChildProcess>(child: T): T {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Ends a process and waits until it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

/** A process of the benchmark's own that says on which port it listens. Throws where it ends before. */
export async function startListening(
  script: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ child: ChildProcess; url: string; port: number }> {
  const child = endsWithUs(fork(script, args, { execArgv: [], env }));
  const ended = once(child, 'exit').then(([code]: unknown[]) => {
    throw new Error(`${[script, ...args].join(' ')} ended with ${String(code)}`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ readonly port: number }];
  return { child, port: message.port, url: `http://127.0.0.1:${message.port}` };
}
