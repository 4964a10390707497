import type { Log, LogFields } from '../../src/domain/shared/ports';

/** A log that keeps its lines. */
export class CollectingLog implements Log {
  readonly lines: { readonly level: keyof Log; readonly event: string; readonly fields: LogFields }[] = [];
  debug = this.at('debug');
  info = this.at('info');
  warn = this.at('warn');
  error = this.at('error');

  /** The lines of one event. */
  of(event: string): LogFields[] {
    return this.lines.filter((line) => line.event === event).map(({ fields }) => fields);
  }

  private at(level: keyof Log) {
    return (event: string, fields: LogFields = {}): void => void this.lines.push({ level, event, fields });
  }
}
