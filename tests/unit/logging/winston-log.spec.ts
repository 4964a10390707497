import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OneWriteATurn } from '../../../src/adapters/out/logging/one-write-a-turn';
import { WinstonLog, type LogLevel } from '../../../src/adapters/out/logging/winston-log';
import type { LogFields } from '../../../src/domain/shared/ports';

/** A log, and what it has written to the system: one text a write. */
function openLog(level: LogLevel, commonFields?: LogFields) {
  const written: string[] = [];
  const system = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      written.push(text);
      done();
    },
  });
  const log = new WinstonLog({ level, stream: new OneWriteATurn(system), ...(commonFields && { commonFields }) });
  const lines = async (): Promise<string[]> => {
    for (let turn = 0; turn < 2; turn++) await nextTurn();
    return written.join('').split('\n').slice(0, -1);
  };
  return { log, written, lines };
}

const levels = ['debug', 'info', 'warn', 'error'] as const;
const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';

describe('WinstonLog', () => {
  it.each(levels)('prints a line of level %s as JSON: level, event, time, common fields, own fields', async (level) => {
    const { log, lines } = openLog('debug', { worker: 2 });
    log[level]('event-1', { text: 'a "b"', count: 3, is: true, absent: undefined });
    expect(await lines()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^\\{"level":"${level}","message":"event-1","timestamp":"${time}","worker":2,"text":"a \\\\"b\\\\"","count":3,"is":true\\}$`,
        ),
      ),
    ]);
  });

  it.each(levels)('prints only lines of level %s or above', async (level) => {
    const { log, lines } = openLog(level);
    for (const one of levels) log[one](one);
    const shown = (await lines()).map((line) => (JSON.parse(line) as { level: string }).level);
    expect(shown).toEqual(levels.slice(levels.indexOf(level)));
  });

  it('writes the lines of all levels of one turn at once, in their order', async () => {
    const { log, written, lines } = openLog('info');
    await nextTurn();
    log.info('one');
    log.error('two');
    log.info('three');
    const shown = (await lines()).map((line) => (JSON.parse(line) as { message: string }).message);
    expect(shown).toEqual(['one', 'two', 'three']);
    expect(written).toHaveLength(1);
  });

  it('truncates long texts and replaces control characters', async () => {
    const { log, lines } = openLog('info');
    log.info('event', { long: 'x'.repeat(600), controls: 'a\u001b[31m\u007f\u0085\nb' });
    const [line = ''] = await lines();
    expect(line).toContain('"controls":"a\\u001b[31m\ufffd\ufffd\\nb"');
    expect((JSON.parse(line) as { long: string }).long).toHaveLength(512);
  });
});
