import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WinstonLog } from '../adapters/out/logging/winston-log';
import { makeThrowawaySchema } from '../adapters/out/postgres/throwaway-schema';
import { readSettings } from '../config/settings';
import { runDemo } from '../sandbox/run-demo';
import { startService } from './start-service';

/**
 * A service of its own, walked through and taken away: on the embedded database in a temporary folder, or, with DATABASE_URL,
 * in a schema of its own there, so that neither tables nor keys of a service that uses the database are touched. Of the other
 * settings of the environment none counts. True: all legs right.
 */
export async function runDemoService(print: (line: string) => void): Promise<boolean> {
  const { databaseUrl } = readSettings();
  const dataDir = await mkdtemp(join(tmpdir(), 'pierhead-demo-'));
  try {
    if (databaseUrl === undefined) return await demoIn({ DATA_DIR: dataDir }, print);
    const schema = await makeThrowawaySchema(databaseUrl);
    try {
      return await demoIn({ DATA_DIR: dataDir, DATABASE_URL: schema.url }, print);
    } finally {
      await schema.drop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function demoIn(place: Readonly<Record<string, string>>, print: (line: string) => void): Promise<boolean> {
  const settings = readSettings({ ...place, PORT: '0', SANDBOX: 'off', LOG_LEVEL: 'error' });
  const log = new WinstonLog({ level: settings.logLevel, stream: process.stderr });
  const onFatal = (error: Error): void => {
    throw error;
  };
  const service = await startService({ settings, log, onFatal });
  try {
    print(`Database: ${service.database === 'embedded' ? 'embedded' : 'Postgres, in a schema of its own'}`);
    return await runDemo({ serviceUrl: service.url, operatorToken: service.operatorToken, print });
  } finally {
    await service.stop();
  }
}
