import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { withoutTrailing } from '../../domain/shared/without-ends';
import { WrongUsage } from '../explain-request';
import type { CommandIo } from './command-io';

/** How a running service is found. */
export interface ServiceFlags {
  readonly url?: string;
  readonly tokenFile?: string;
}

/** Adds `--url` and `--token-file`, which fit a service of `npm start` unless they are given. */
export const serviceOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'of the service; http://localhost:PORT unless given')
    .option('--token-file <file>', 'the file of the operator token; operator-token in DATA_DIR unless given, or OPERATOR_TOKEN');

/** Where the service is, and who asks. Throws where the token cannot be read. */
export async function whereItIs({ url, tokenFile }: ServiceFlags, io: Pick<CommandIo, 'settings'>) {
  if (url !== undefined && tokenFile !== undefined) return { serviceUrl: origin(url), operatorToken: await tokenIn(tokenFile) };
  const { port, dataDir, operatorToken } = io.settings();
  const serviceUrl = origin(url ?? `http://localhost:${String(port)}`);
  if (tokenFile === undefined && operatorToken !== undefined) return { serviceUrl, operatorToken };
  return { serviceUrl, operatorToken: await tokenIn(tokenFile ?? join(dataDir, 'operator-token')) };
}

const origin = (url: string): string => withoutTrailing(url, '/');

async function tokenIn(file: string): Promise<string> {
  const token = (await readFile(file, 'utf8')).trim();
  if (!/^[\x21-\x7e]{1,512}$/.test(token)) throw new WrongUsage(`${file} holds no operator token`);
  return token;
}
