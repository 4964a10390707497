import { createLogger, format, transports, type Logger } from 'winston';
import { isoTime } from '../../../domain/shared/iso-time';
import type { Log, LogFields } from '../../../domain/shared/ports';
import { OneWriteATurn } from './one-write-a-turn';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const standardOutput = new OneWriteATurn(process.stdout);
// A process that exits writes its last lines; one that is killed loses those of that turn.
process.once('exit', () => standardOutput.flush());

/** Control characters could forge a line or control a terminal. JSON escapes C0; this pattern matches DEL and C1. */
const controls = /[\u007f-\u009f]/g;

type Line = Record<string, string | number | boolean>;

/** The maximum length of a logged text. */
const longestText = 512;

/**
 * Writes one JSON line per event to the given stream (standard output by default). The type allows only flat values, so no object, header
 * or body can be logged by mistake. Texts are cut at 512 characters.
 */
export class WinstonLog implements Log {
  private readonly logger: Logger;
  private readonly commonFields: LogFields;

  /** `commonFields` are part of every line. */
  constructor({
    level,
    stream = standardOutput,
    commonFields = {},
  }: {
    level: LogLevel;
    stream?: NodeJS.WritableStream;
    commonFields?: LogFields;
  }) {
    this.commonFields = commonFields;
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
    addTo(line, this.commonFields);
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

/** Replaces control characters in the whole line at once, because most lines have none. */
const printed = (line: object): string => JSON.stringify(line).replace(controls, '\ufffd');
