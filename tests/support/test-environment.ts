import { TestEnvironment } from 'jest-environment-node';
import { EmbeddedDatabases } from './postgres/embedded-databases';

/** Lives as long as the process that runs test files, one after the other. */
const embeddedDatabases = new EmbeddedDatabases();
/** Names of migrated, empty databases on Postgres. The end of the run drops them. */
const idlePostgresDatabases: string[] = [];

/** The environment of Node, and what test files of one process share. */
export default class SharingEnvironment extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    Object.assign(this.global, { embeddedDatabases, idlePostgresDatabases });
  }
}
