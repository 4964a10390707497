import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { scripts } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as { scripts: { start: string } };

/** The options of Node where the service is started as it is shipped. */
export const shippedFlags: readonly string[] = scripts.start.split(' ').filter((word) => word.startsWith('--'));
