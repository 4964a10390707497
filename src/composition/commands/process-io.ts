import { readSettings } from '../../config/settings';
import type { Run } from './run-commands';

/** Standard output and standard error of this process, and its environment. */
export function processIo(): Run['io'] {
  endWithTheReader(process.stdout);
  endWithTheReader(process.stderr);
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    colour: process.stdout.isTTY && process.stdout.hasColors(),
    settings: () => readSettings(),
    untilStopped,
  };
}

/** A second signal ends the process at once. */
function untilStopped(): AbortSignal {
  const stopping = new AbortController();
  const stop = (): void => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return stopping.signal;
}

/** A reader, such as `head`, may close the pipe early; that is no error of the command. */
function endWithTheReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}
