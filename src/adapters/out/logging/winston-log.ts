import { createLogger, format, transports, type Logger } from 'winston';
import type { Log, LogFields } from '../../../domain/shared/ports';
import { OneWriteATurn } from './one-write-a-turn';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const standardOutput = new OneWriteATurn(process.stdout);

/** Control characters could forge a line or drive a terminal; JSON escapes C0 already, this takes DEL and C1. */
const controls = /[\u007f-\u009f]/g;

/**
 * One JSON line an event, to the stream given (standard output by default). Fields are flat facts by type, so no object,
 * header or body can slip in; texts are cut at 512 characters.
 */
export class WinstonLog implements Log {
  private readonly logger: Logger;

  /** `facts` stand on every line. */
  constructor(options: { level: LogLevel; stream?: NodeJS.WritableStream; facts?: LogFields }) {
    const { level, stream, facts } = options;
    this.logger = createLogger({
      level,
      defaultMeta: facts,
      format: format.combine(format.timestamp(), format.json()),
      transports: [new transports.Stream({ stream: stream ?? standardOutput })],
    });
  }

  debug(event: string, fields?: LogFields): void {
    if (this.logger.isLevelEnabled('debug')) this.write('debug', event, fields);
  }

  info(event: string, fields?: LogFields): void {
    if (this.logger.isLevelEnabled('info')) this.write('info', event, fields);
  }

  warn(event: string, fields?: LogFields): void {
    this.write('warn', event, fields);
  }

  error(event: string, fields?: LogFields): void {
    this.write('error', event, fields);
  }

  private write(level: LogLevel, event: string, fields: LogFields = {}): void {
    const line: Record<string, string | number | boolean> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) line[name] = typeof value === 'string' ? value.slice(0, 512).replace(controls, '\ufffd') : value;
    }
    this.logger.log({ ...line, level, message: event });
  }
}
