import { warnOfOldNode } from '../../../src/composition/processes/node-support';
import { CollectingLog } from '../../support/collecting-log';

describe('a release line of Node', () => {
  it.each([
    ['20.19.0', ['node-unsupported']],
    ['21.7.3', ['node-unsupported']],
    ['22.0.0', []],
    ['26.10.0', []],
  ])('%s is warned of: %j', (version, events) => {
    const log = new CollectingLog();
    warnOfOldNode(log, version);
    expect(log.lines.map(({ event }) => event)).toEqual(events);
  });
});
