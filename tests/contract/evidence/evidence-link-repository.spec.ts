import { MemoryEvidenceLinkRepository } from '../../../src/adapters/out/memory/evidence/memory-evidence-link-repository';
import { PostgresAuditReader } from '../../../src/adapters/out/postgres/audit/postgres-audit-reader';
import { PostgresEvidenceLinkRepository } from '../../../src/adapters/out/postgres/evidence/postgres-evidence-link-repository';
import { testBox } from '../../support/postgres/test-box';
import { onEachDatabase } from '../each-database';
import { evidenceLinkRepositoryContract, someEvidence } from './evidence-link-repository.contract';

evidenceLinkRepositoryContract('memory', async () => {
  const links = new MemoryEvidenceLinkRepository();
  return { links, audited: async () => links.audit.map(({ action }) => action) };
});

onEachDatabase((name, database) => {
  evidenceLinkRepositoryContract(name, async () => {
    const { db, wipe } = database();
    await wipe();
    const reader = new PostgresAuditReader(db);
    const audited = async () => (await reader.list({}, { limit: 50 })).map(({ action }) => action).reverse();
    return { links: new PostgresEvidenceLinkRepository({ db, box: testBox() }), audited };
  });

  it(`stores neither token nor bundle in plain text, and prunes expired links: ${name}`, async () => {
    const { db, wipe } = database();
    await wipe();
    const links = new PostgresEvidenceLinkRepository({ db, box: testBox() });
    await links.keep(someEvidence(1), { actor: 'operator', action: 'evidence.shared', subject: 'exchange:ex_1', requestId: 'r', at: 1 });
    const [row] = await db.query('select *, encode(sealed, $1) as text, encode(token_digest, $1) as digest from evidence_links', [
      'escape',
    ]);
    expect(`${row.text} ${row.digest}`).not.toMatch(/signed-1|token-1/);
    expect(await links.prune()).toBe(1);
    expect(await links.find('ev_1')).toBeUndefined();
  });
});
