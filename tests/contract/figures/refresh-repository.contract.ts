import type { RefreshedToken, RefreshFigureReader, RefreshLog, RefreshOutcome } from '../../../src/domain/figures/refreshes';
import type { ManualClock } from '../../support/manual-clock';

export interface RefreshRepositoryHarness {
  readonly repository: RefreshLog & RefreshFigureReader;
  readonly clock: ManualClock;
  /** Resolves when all counts can be read. */
  written(): Promise<unknown>;
}

const minuteMs = 60_000;

/** Refreshes are counted exactly, whoever counts. */
export function refreshRepositoryContract(name: string, open: () => Promise<RefreshRepositoryHarness>): void {
  describe(`RefreshFigureReader: ${name}`, () => {
    let harness: RefreshRepositoryHarness;
    let begin: number;
    beforeEach(async () => {
      harness = await open();
      const { clock } = harness;
      clock.advance(3_600_000 - (clock.now() % 3_600_000));
      begin = clock.now();
    });
    const record = (token: RefreshedToken, outcome: RefreshOutcome, clientId = 'host_1') =>
      harness.repository.refreshed({ clientId, token, outcome });
    const read = async (slotS: number, clientId?: string) => {
      await harness.written();
      const counts = await harness.repository.refreshes({ from: begin, to: begin + 60 * minuteMs, slotS, clientId });
      return counts.map(({ slot, token, outcome, count }) => [(slot - begin) / minuteMs, token, outcome, count].join(' ')).sort();
    };

    it('distinguishes tokens, outcomes and slots, over several writes', async () => {
      record('user', 'ok');
      record('user', 'shared');
      record('user', 'shared');
      await harness.written();
      harness.clock.advance(minuteMs);
      record('user', 'shared');
      record('client', 'failed');
      expect(await read(60)).toEqual(['0 user ok 1', '0 user shared 2', '1 client failed 1', '1 user shared 1']);
      expect(await read(3600)).toEqual(['0 client failed 1', '0 user ok 1', '0 user shared 3']);
    });

    it('counts of one host app, and in the range alone', async () => {
      record('user', 'ok');
      record('user', 'ok', 'host_2');
      harness.clock.advance(60 * minuteMs);
      record('user', 'ok');
      expect(await read(3600, 'host_2')).toEqual(['0 user ok 1']);
      expect(await read(3600)).toEqual(['0 user ok 2']);
    });
  });
}
