import { existsSync, readFileSync } from 'node:fs';
import { testRun } from '../test-run';
import { DescribedDocument } from './described-document';

/** The operations, with the name of their document, that this run has not seen succeed. */
export function unseenOperations(): readonly string[] {
  const file = testRun.operationsSeen();
  const seen = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  const all = (['api', 'manage'] as const).flatMap((name) =>
    new DescribedDocument(name).operations.map(({ operationId }) => `${name} ${operationId}`),
  );
  return all.filter((operation) => !seen.has(operation));
}
