import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WinstonLog } from '../adapters/out/logging/winston-log';
import { makeThrowawaySchema } from '../adapters/out/postgres/throwaway-schema';
import { readSettings, type Settings } from '../config/settings';
import { runDemo, type Demo } from '../sandbox/run-demo';
import { startService } from './start-service';

/** Hears what happens. */
type Audience = Pick<Demo, 'print' | 'tell'>;

/**
 * A service of its own, walked through and taken away: on the embedded database in a temporary folder, or, with DATABASE_URL,
 * in a schema of its own there, so that neither tables nor keys of a service that uses the database are touched. Of the other
 * settings of the environment none counts. True: all legs right.
 */
export async function runDemoService(
  { databaseUrl, databaseDirectUrl = databaseUrl }: Pick<Settings, 'databaseUrl' | 'databaseDirectUrl'>,
  audience: Audience,
): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pierhead-demo-'));
  try {
    if (databaseDirectUrl === undefined) return await demoIn({ DATA_DIR: dataDir }, audience);
    const schema = await makeThrowawaySchema(databaseDirectUrl);
    try {
      return await demoIn({ DATA_DIR: dataDir, DATABASE_URL: schema.url }, audience);
    } finally {
      await schema.drop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function demoIn(place: Readonly<Record<string, string>>, audience: Audience): Promise<boolean> {
  const settings = readSettings({ ...place, PORT: '0', SANDBOX: 'off', LOG_LEVEL: 'error' });
  const log = new WinstonLog({ level: settings.logLevel, stream: process.stderr });
  const onFatal = (error: Error): void => {
    throw error;
  };
  const service = await startService({ settings, log, onFatal });
  try {
    audience.print(`Database: ${service.database === 'embedded' ? 'embedded' : 'Postgres, in a schema of its own'}`);
    return await runDemo({ serviceUrl: service.url, operatorToken: service.operatorToken, ...audience });
  } finally {
    await service.stop();
  }
}
