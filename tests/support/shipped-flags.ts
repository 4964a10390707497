import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { scripts } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { scripts: { start: string } };

/** What Node is told where the service is started as it is shipped. */
export const shippedFlags: readonly string[] = scripts.start.split(' ').filter((word) => word.startsWith('--'));
