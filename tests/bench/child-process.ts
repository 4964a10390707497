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

/** A process of the benchmark's own that says on which port it listens. */
export async function startListening(
  script: string,
  args: readonly string[] = [],
): Promise<{ child: ChildProcess; url: string; port: number }> {
  const child = endsWithUs(fork(script, args, { execArgv: [] }));
  const [said] = (await once(child, 'message')) as [{ readonly port: number }];
  return { child, port: said.port, url: `http://127.0.0.1:${said.port}` };
}
