import type { EvidenceLink } from '../../../src/domain/evidence/evidence';
import type { EvidenceLinkRepository, NewEvidence } from '../../../src/domain/evidence/ports';
import type { AuditEntry } from '../../../src/domain/partners/ports';

export interface EvidenceLinkRepositoryHarness {
  readonly links: EvidenceLinkRepository;
  /** The actions that were audited, oldest first. */
  audited(): Promise<readonly string[]>;
}

const entry = (action: string): AuditEntry => ({
  actor: 'operator',
  action,
  subject: 'integration:h1/m1',
  requestId: 'r1',
  at: 1_700_000_000_000,
});
const opened = (): AuditEntry => entry('evidence.opened');

export const someEvidence = (number: number, more: Partial<EvidenceLink> = {}): NewEvidence => ({
  link: {
    ...{ id: `ev_${String(number)}`, exchangeId: `ex_${String(number)}`, clientId: 'h1', appId: 'm1', createdBy: 'operator' },
    ...{ createdAt: 1_700_000_000_000 + number, expiresAt: 1_700_000_100_000, opened: 0, revokedAt: undefined, openedAt: undefined },
    ...more,
  },
  token: `token-${String(number)}`,
  signed: `signed-${String(number)}`,
});

/** What sharing may rely on, whoever keeps the links. */
export function evidenceLinkRepositoryContract(name: string, open: () => Promise<EvidenceLinkRepositoryHarness>): void {
  describe(`EvidenceLinkRepository: ${name}`, () => {
    let harness: EvidenceLinkRepositoryHarness;
    const keep = (evidence: NewEvidence) => harness.links.keep(evidence, entry('evidence.shared'));
    beforeEach(async () => {
      harness = await open();
    });

    it('shows the bundle to anybody with the token, and audits each opening', async () => {
      await keep(someEvidence(1));
      expect(await harness.links.open('token-1', 1_700_000_000_500, opened)).toBe('signed-1');
      expect(await harness.links.open('token-1', 1_700_000_000_600, opened)).toBe('signed-1');
      expect(await harness.links.find('ev_1')).toEqual({ ...someEvidence(1).link, opened: 2, openedAt: 1_700_000_000_600 });
      expect(await harness.audited()).toEqual(['evidence.shared', 'evidence.opened', 'evidence.opened']);
    });

    it('shows nothing to another token, after its time, or once it was revoked', async () => {
      await keep(someEvidence(1));
      await keep(someEvidence(2));
      const revoked = await harness.links.revoke('ev_2', 1_700_000_000_400, entry('evidence.revoked'));
      expect(revoked).toEqual({ ...someEvidence(2).link, revokedAt: 1_700_000_000_400 });
      expect(await harness.links.open('token-3', 1_700_000_000_500, opened)).toBeUndefined();
      expect(await harness.links.open('token-2', 1_700_000_000_500, opened)).toBeUndefined();
      expect(await harness.links.open('token-1', 1_700_000_100_000, opened)).toBeUndefined();
      expect(await harness.audited()).toEqual(['evidence.shared', 'evidence.shared', 'evidence.revoked']);
    });

    it('revokes once', async () => {
      await keep(someEvidence(1));
      await harness.links.revoke('ev_1', 1_700_000_000_400, entry('evidence.revoked'));
      expect(await harness.links.revoke('ev_1', 1_700_000_000_900, entry('evidence.revoked'))).toMatchObject({
        revokedAt: 1_700_000_000_400,
      });
      expect(await harness.links.revoke('ev_9', 1_700_000_000_900, entry('evidence.revoked'))).toBeUndefined();
      expect(await harness.audited()).toEqual(['evidence.shared', 'evidence.revoked']);
    });

    it('lists newest first, by exchange and partner, in pages', async () => {
      for (const [i, more] of [{}, { clientId: 'h2' }, { appId: 'm2' }, { exchangeId: 'ex_1', clientId: undefined }].entries())
        await keep(someEvidence(i + 1, more));
      const idsOf = async (...args: Parameters<EvidenceLinkRepository['list']>) => (await harness.links.list(...args)).map(({ id }) => id);
      expect(await idsOf({}, { limit: 3 })).toEqual(['ev_4', 'ev_3', 'ev_2']);
      expect(await idsOf({}, { limit: 3, after: 'ev_2' })).toEqual(['ev_1']);
      expect(await idsOf({}, { limit: 3, after: 'ev_9' })).toEqual([]);
      expect(await idsOf({ clientId: 'h1' }, { limit: 9 })).toEqual(['ev_3', 'ev_1']);
      expect(await idsOf({ appId: 'm2' }, { limit: 9 })).toEqual(['ev_3']);
      expect(await idsOf({ exchangeId: 'ex_1' }, { limit: 9 })).toEqual(['ev_4', 'ev_1']);
    });
  });
}
