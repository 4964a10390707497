import { createLogger, format, transports, type Logger } from 'winston';
import { isoTime } from '../../../domain/shared/iso-time';
import type { Log, LogFields } from '../../../domain/shared/ports';
import { OneWriteATurn } from './one-write-a-turn';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const standardOutput = new OneWriteATurn(process.stdout);

/** Control characters could forge a line or drive a terminal; JSON escapes C0 already, this takes DEL and C1. */
const controls = /[\u007f-\u009f]/g;

type Line = Record<string, string | number | boolean>;

/** Characters of a text that are shown. */
const longestText = 512;

/**
 * One JSON line an event, to the stream given (standard output by default). Fields are flat facts by type, so no object,
 * header or body can slip in; texts are cut at 512 characters.
 */
export class WinstonLog implements Log {
  private readonly logger: Logger;
  private readonly facts: LogFields;

  /** `facts` stand on every line. */
  constructor({ level, stream = standardOutput, facts = {} }: { level: LogLevel; stream?: NodeJS.WritableStream; facts?: LogFields }) {
    this.facts = facts;
    this.logger = createLogger({ level, format: format.printf(printed), transports: [new transports.Stream({ stream, eol: '\n' })] });
  }

  debug(event: string, fields?: LogFields): void {
    this.write('debug', event, fields);
  }

  info(event: string, fields?: LogFields): void {
    this.write('info', event, fields);
  }

  warn(event: string, fields?: LogFields): void {
    this.write('warn', event, fields);
  }

  error(event: string, fields?: LogFields): void {
    this.write('error', event, fields);
  }

  private write(level: LogLevel, event: string, fields: LogFields = {}): void {
    if (!this.logger.isLevelEnabled(level)) return;
    const line = { level, message: event, timestamp: isoTime(Date.now()) };
    addTo(line, this.facts);
    addTo(line, fields);
    this.logger.log(line);
  }
}

function addTo(line: Line, fields: LogFields): void {
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === 'string' && value.length > longestText) line[name] = value.slice(0, longestText);
    else if (value !== undefined) line[name] = value;
  }
}

/** A line without controls: once for all its texts, as most have none. */
const printed = (line: object): string => JSON.stringify(line).replace(controls, '\ufffd');
