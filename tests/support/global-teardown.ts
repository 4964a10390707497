import { rmSync } from 'node:fs';
import { unseenOperations } from './described/unseen-operations';
import { dropDatabases, testServer } from './global-setup';
import { testRun } from './test-run';

/** What of Jest's settings tells which tests were chosen. */
interface ChosenTests {
  readonly testPathPatterns: { readonly patterns: readonly string[] };
  readonly testNamePattern?: string;
  readonly shard?: unknown;
  readonly onlyChanged: boolean;
  readonly onlyFailures: boolean;
  readonly findRelatedTests: boolean;
}

/**
 * Drops the templates and whatever a test file left, and stops the server if it is this run's own. Throws Error where all end to end
 * tests have run and an operation of the OpenAPI documents has never succeeded.
 */
export default async function globalTeardown(chosen: ChosenTests, project: { readonly testMatch: readonly string[] }): Promise<void> {
  const unseen = ranEndToEnd(chosen, project.testMatch) ? unseenOperations() : [];
  rmSync(testRun.operationsSeen(), { force: true });
  rmSync(testRun.embeddedTemplate(), { recursive: true, force: true });
  rmSync(testRun.embeddedDatabases(), { recursive: true, force: true });
  const server = testServer.running;
  if (server) {
    await dropDatabases(server.url, (name) => name.startsWith(`${testRun.prefix()}_`));
    await server.stop();
  }
  if (unseen.length > 0) throw new Error(`No test has seen these operations of docs/reference/openapi succeed:\n  ${unseen.join('\n  ')}`);
}

function ranEndToEnd({ testPathPatterns: { patterns }, ...chosen }: ChosenTests, testMatch: readonly string[]): boolean {
  const { testNamePattern, shard, onlyChanged, onlyFailures, findRelatedTests } = chosen;
  const isPart = [testNamePattern, shard, onlyChanged, onlyFailures, findRelatedTests].some(Boolean);
  const [match = '', ...others] = testMatch;
  const isWhole = match.endsWith('/tests/together/*.spec.ts') && patterns.length === 0;
  const isEndToEnd = match.endsWith('/tests/**/*.spec.ts') && ['', 'tests/e2e'].includes(patterns.join());
  return !isPart && others.length === 0 && (isWhole || isEndToEnd);
}
