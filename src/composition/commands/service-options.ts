import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { withoutTrailing } from '../../domain/shared/without-ends';
import { WrongUsage } from '../tasks/explain-request';
import type { CommandIo } from './command-io';

/** The options that locate a running service. */
export interface ServiceFlags {
  readonly url?: string;
  readonly tokenFile?: string;
}

/** Adds `--url` and `--token-file`. The defaults fit a service started by `npm start`. */
export const serviceOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'of the service; http://localhost:PORT unless given')
    .option('--token-file <file>', 'the file of the operator token; operator-token in DATA_DIR unless given, or OPERATOR_TOKEN');

/** The URL of the service and the operator token. Throws when the token cannot be read. */
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
