import { dropDatabases, testServer } from './global-setup';
import { runFacts } from './run-facts';

/** Drops the template and whatever a test file left, and stops the server if it is this run's own. */
export default async function globalTeardown(): Promise<void> {
  const server = testServer.running;
  if (!server) return;
  await dropDatabases(server.url, (name) => name.startsWith(`${runFacts.prefix()}_`));
  await server.stop();
}
