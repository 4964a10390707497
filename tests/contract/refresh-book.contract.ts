import type { RefreshedToken, RefreshFigures, RefreshLog, RefreshOutcome } from '../../src/domain/figures/refreshes';
import type { ManualClock } from '../support/manual-clock';

export interface RefreshBookHarness {
  readonly book: RefreshLog & RefreshFigures;
  readonly clock: ManualClock;
  /** Resolves when all counts can be read. */
  written(): Promise<unknown>;
}

const minuteMs = 60_000;

/** Refreshes are counted exactly, whoever counts. */
export function refreshBookContract(name: string, open: () => Promise<RefreshBookHarness>): void {
  describe(`RefreshFigures: ${name}`, () => {
    let harness: RefreshBookHarness;
    let begin: number;
    beforeEach(async () => {
      harness = await open();
      const { clock } = harness;
      clock.advance(3_600_000 - (clock.now() % 3_600_000));
      begin = clock.now();
    });
    const tell = (token: RefreshedToken, outcome: RefreshOutcome, clientId = 'host_1') =>
      harness.book.refreshed({ clientId, token, outcome });
    const read = async (slotS: number, clientId?: string) => {
      await harness.written();
      const counts = await harness.book.refreshes({ from: begin, to: begin + 60 * minuteMs, slotS, clientId });
      return counts.map(({ slot, token, outcome, count }) => [(slot - begin) / minuteMs, token, outcome, count].join(' ')).sort();
    };

    it('tells tokens, outcomes and slots apart, over several writes', async () => {
      tell('user', 'ok');
      tell('user', 'shared');
      tell('user', 'shared');
      await harness.written();
      harness.clock.advance(minuteMs);
      tell('user', 'shared');
      tell('client', 'failed');
      expect(await read(60)).toEqual(['0 user ok 1', '0 user shared 2', '1 client failed 1', '1 user shared 1']);
      expect(await read(3600)).toEqual(['0 client failed 1', '0 user ok 1', '0 user shared 3']);
    });

    it('counts of one host app, and in the range alone', async () => {
      tell('user', 'ok');
      tell('user', 'ok', 'host_2');
      harness.clock.advance(60 * minuteMs);
      tell('user', 'ok');
      expect(await read(3600, 'host_2')).toEqual(['0 user ok 1']);
      expect(await read(3600)).toEqual(['0 user ok 2']);
    });
  });
}
