import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WinstonLog } from '../adapters/out/logging/winston-log';
import { readSettings } from '../config/settings';
import { runDemo } from '../sandbox/run-demo';
import { startService } from './start-service';

/** A service of its own on the embedded database in a temporary folder, walked through and taken away. True: all legs right. */
export async function runDemoService(print: (line: string) => void): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pierhead-demo-'));
  try {
    const settings = readSettings({ DATA_DIR: dataDir, PORT: '0', SANDBOX: 'off', LOG_LEVEL: 'error' });
    const log = new WinstonLog({ level: settings.logLevel, stream: process.stderr });
    const onFatal = (error: Error): void => {
      throw error;
    };
    const service = await startService({ settings, log, onFatal });
    try {
      return await runDemo({ serviceUrl: service.url, operatorToken: service.operatorToken, print });
    } finally {
      await service.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
