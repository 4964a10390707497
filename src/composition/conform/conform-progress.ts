import { lineOf } from '../../conformance/reports/text-report';
import type { Result } from '../../conformance/scenario';
import type { CommandIo } from '../commands/command-io';

/** Reports the progress of a run. */
export interface Progress {
  readonly report: (result: Result, done: number) => void;
  readonly end: () => void;
}

const width = 30;

/** Writes progress to standard error: a bar on a terminal, otherwise a line for each scenario. */
export function conformProgress({ err, colour }: Pick<CommandIo, 'err' | 'colour'>, total: number): Progress {
  if (!colour)
    return { report: (result, done) => err(`${String(done)}/${String(total)} ${lineOf(result, false)}\n`), end: () => undefined };
  let failed = 0;
  return {
    report: ({ scenario, verdict }, done) => {
      if (verdict === 'failed') failed += 1;
      const filled = Math.round((width * done) / total);
      const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
      const bad = failed === 0 ? '' : ` \x1b[31m${String(failed)} failed\x1b[0m`;
      err(`\r\x1b[2K${bar} ${String(done)}/${String(total)}${bad} \x1b[90m${scenario.id}\x1b[0m`);
    },
    end: () => err('\r\x1b[2K'),
  };
}
