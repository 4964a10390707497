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
 * header or body can slip in; texts are cut at 512 characters. Lines of level info, of which each request makes one, are printed
 * here and do not pass through the library's streams: those took more time than a relay's checks.
 */
export class WinstonLog implements Log {
  private readonly logger: Logger;
  private readonly stream: NodeJS.WritableStream;
  private readonly facts: LogFields;
  private readonly tellsInfo: boolean;

  /** `facts` stand on every line. */
  constructor({ level, stream = standardOutput, facts = {} }: { level: LogLevel; stream?: NodeJS.WritableStream; facts?: LogFields }) {
    this.stream = stream;
    this.facts = facts;
    this.logger = createLogger({
      level,
      defaultMeta: facts,
      format: format.combine(
        format.timestamp(),
        format.printf(({ level, message, timestamp, ...fields }) => printed({ level, message, timestamp, ...fields })),
      ),
      transports: [new transports.Stream({ stream })],
    });
    this.tellsInfo = this.logger.isLevelEnabled('info');
  }

  debug(event: string, fields?: LogFields): void {
    if (this.logger.isLevelEnabled('debug')) this.write('debug', event, fields);
  }

  info(event: string, fields: LogFields = {}): void {
    if (!this.tellsInfo) return;
    const line: Line = { level: 'info', message: event, timestamp: isoTime(Date.now()) };
    addTo(line, this.facts);
    addTo(line, fields);
    this.stream.write(`${printed(line)}\n`);
  }

  warn(event: string, fields?: LogFields): void {
    this.write('warn', event, fields);
  }

  error(event: string, fields?: LogFields): void {
    this.write('error', event, fields);
  }

  private write(level: LogLevel, event: string, fields: LogFields = {}): void {
    const line: Line = {};
    addTo(line, fields);
    this.logger.log({ ...line, level, message: event });
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
