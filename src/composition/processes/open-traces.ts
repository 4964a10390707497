import type * as Otel from '../../adapters/out/otel/start-tracing';
import type { Settings } from '../../config/settings';
import type { Log } from '../../domain/shared/ports';
import { ownVersion } from '../tasks/own-version';

/** Starts tracing if it is configured. Otherwise none of its libraries is loaded. */
export async function openTraces({ settings, log }: { settings: Settings; log: Log }): Promise<Otel.RunningTracing | undefined> {
  const { traces, publicBaseUrl } = settings;
  if (traces === undefined) return undefined;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` takes the name of a built file alone
  const { startTracing } = require('../../adapters/out/otel/start-tracing') as { startTracing: typeof Otel.startTracing };
  log.info('traces', { url: traces.url, sampler: traces.sampler });
  return startTracing({ ...traces, publicBaseUrl, version: ownVersion(), log });
}
