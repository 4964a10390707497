import { rmSync } from 'node:fs';
import { dropDatabases, testServer } from './global-setup';
import { runFacts } from './run-facts';

/** Drops the templates and whatever a test file left, and stops the server if it is this run's own. */
export default async function globalTeardown(): Promise<void> {
  rmSync(runFacts.embeddedTemplate(), { recursive: true, force: true });
  const server = testServer.running;
  if (!server) return;
  await dropDatabases(server.url, (name) => name.startsWith(`${runFacts.prefix()}_`));
  await server.stop();
}
