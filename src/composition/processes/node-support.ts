import type { Log } from '../../domain/shared/ports';

/** The oldest major version of Node that still gets fixes. */
const oldestSupported = 22;

/** Warns when the running Node version gets no more fixes; the start continues. Source: the release schedule of Node. */
export function warnOfOldNode(log: Log, version = process.versions.node): void {
  if (Number.parseInt(version, 10) < oldestSupported) log.warn('node-unsupported', { node: version, oldest_supported: oldestSupported });
}
