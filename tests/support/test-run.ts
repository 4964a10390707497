import { tmpdir } from 'node:os';
import { join } from 'node:path';

const URL_NAME = 'PIERHEAD_TESTS_POSTGRES_URL';
const PREFIX_NAME = 'PIERHEAD_TESTS_PREFIX';

/** What the global setup found out, handed to the test processes through their environment. */
export const testRun = {
  /** An administrator's URL of the Postgres that this run uses; undefined where there is none. */
  postgresUrl: (): string | undefined => process.env[URL_NAME] || undefined,

  requirePostgresUrl(): string {
    const url = this.postgresUrl();
    if (!url) throw new Error('This run has no Postgres: see the first line that it printed');
    return url;
  },

  /** What the names of this run's databases start with. */
  prefix: (): string => process.env[PREFIX_NAME] ?? 'pierhead_test',

  /** Where this run's migrated embedded database lies, once a test file has made it. */
  embeddedTemplate(): string {
    return join(tmpdir(), `${this.prefix()}_embedded`);
  },

  /** Where the embedded databases of this run lie, each in a folder of its own. */
  embeddedDatabases(): string {
    return join(tmpdir(), `${this.prefix()}_databases`);
  },

  /** Where this run notes which operations of the OpenAPI documents have succeeded, one a line. */
  operationsSeen(): string {
    return join(tmpdir(), `${this.prefix()}_operations`);
  },

  publish(settings: { readonly postgresUrl: string | undefined; readonly prefix: string }): void {
    process.env[URL_NAME] = settings.postgresUrl ?? '';
    process.env[PREFIX_NAME] = settings.prefix;
  },
};
