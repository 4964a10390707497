import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WinstonLog } from '../../adapters/out/logging/winston-log';
import { makeThrowawaySchema } from '../../adapters/out/postgres/connection/throwaway-schema';
import { readSettings, type Settings } from '../../config/settings';
import { runDemo, type Demo } from '../../sandbox/demo/run-demo';
import { startService } from './start-service';

/** Callbacks of a run. */
type Audience = Pick<Demo, 'print' | 'onEnd'>;

/**
 * Starts a temporary service, runs the demo and removes the service: on the embedded database in a temporary folder, or with DATABASE_URL
 * in a temporary schema there, so that tables and keys of another service stay untouched. Ignores all other environment settings. True: all
 * legs succeeded.
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

async function demoIn(environment: Readonly<Record<string, string>>, audience: Audience): Promise<boolean> {
  const settings = readSettings({ ...environment, PORT: '0', SANDBOX: 'off', LOG_LEVEL: 'error' });
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
