import { MemoryConsentLedger } from '../../src/adapters/out/memory/memory-consent-ledger';
import { MemoryUserRepository } from '../../src/adapters/out/memory/memory-user-repository';
import { PostgresConsentLedger } from '../../src/adapters/out/postgres/postgres-consent-ledger';
import { PostgresUserRepository } from '../../src/adapters/out/postgres/postgres-user-repository';
import { openReferenceIndex } from '../../src/adapters/out/postgres/reference-index';
import { readJsonText, type JsonObject } from '../../src/domain/shared/json';
import { Secret } from '../../src/domain/shared/secret';
import { testBox } from '../support/test-box';
import { consentLedgerContract } from './consent-ledger.contract';
import { onEachDatabase } from './each-database';
import { userRepositoryContract } from './user-repository.contract';

const inMemory = async () => {
  const consents = new MemoryConsentLedger();
  return { users: new MemoryUserRepository(consents), consents };
};
userRepositoryContract('memory', inMemory);
consentLedgerContract('memory', async () => (await inMemory()).consents);

onEachDatabase((name, database) => {
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    const deps = { db, box, index: await openReferenceIndex(db, box) };
    return { users: new PostgresUserRepository(deps), consents: new PostgresConsentLedger(deps) };
  };
  userRepositoryContract(name, inDatabase);
  consentLedgerContract(name, async () => (await inDatabase()).consents);

  it('holds nothing of a user that a dump would show', async () => {
    const { users } = await inDatabase();
    const user = {
      reference: 'canary-reference',
      email: 'canary@example.com',
      firstName: 'canary-name',
      customAttributes: readJsonText('{"canary-attribute":1}') as JsonObject,
    };
    const consent = { integrationId: 'int_1', reference: user.reference, granted: true, call: 'connect', requestId: 'r', at: 1 };
    const tokens = { accessToken: new Secret('canary-access'), refreshToken: new Secret('canary-refresh') };
    await users.store({ clientId: 'host_1', user, consent, tokens, at: 1 });
    for (const table of ['users', 'user_tokens', 'consents', 'consent_ledger']) {
      const rows: { shown: string }[] = await database().db.query(`select t::text as shown from ${table} t`);
      expect(rows).toHaveLength(1);
      const [{ shown }] = rows as [{ shown: string }];
      expect(shown).not.toMatch(/canary/);
      expect(shown).not.toContain(Buffer.from('canary').toString('hex'));
    }
  });

  it('writes no new row version of a consent that did not change', async () => {
    const { consents } = await inDatabase();
    const entry = { integrationId: 'int_1', reference: 'u', granted: true, fields: ['email'], call: 'connect', requestId: 'r', at: 1 };
    const version = async () => (await database().db.query('select ctid::text from consents')) as unknown;
    await consents.record(entry);
    const before = await version();
    await consents.record({ ...entry, at: 2 });
    expect(await version()).toEqual(before);
  });

  it('agrees on one index key, however many instances start at once', async () => {
    const { db, wipe } = database();
    await wipe();
    const indexes = await Promise.all(Array.from({ length: 10 }, () => openReferenceIndex(db, testBox())));
    expect(new Set(indexes.map((index) => index.digest('a', 'b').toString('hex'))).size).toBe(1);
    expect(indexes[0]!.digest('a', 'b')).not.toEqual(indexes[0]!.digest('ab', ''.padEnd(1)));
    expect(indexes[0]!.digest('a', 'bc')).not.toEqual(indexes[0]!.digest('ab', 'c'));
  });
});
