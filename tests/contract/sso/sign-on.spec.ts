import { randomUUID } from 'node:crypto';
import { MemoryConsentRepository } from '../../../src/adapters/out/memory/sso/memory-consent-repository';
import { MemoryUserRepository } from '../../../src/adapters/out/memory/sso/memory-user-repository';
import { MemoryUserTokenStore } from '../../../src/adapters/out/memory/sso/memory-user-token-store';
import { PostgresConsentRepository } from '../../../src/adapters/out/postgres/sso/postgres-consent-repository';
import { PostgresUserRepository } from '../../../src/adapters/out/postgres/sso/postgres-user-repository';
import { PostgresUserTokenStore } from '../../../src/adapters/out/postgres/sso/postgres-user-token-store';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import type { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { Secret } from '../../../src/domain/shared/secret';
import { testBox } from '../../support/postgres/test-box';
import { consentRepositoryContract } from './consent-repository.contract';
import { onEachDatabase, onSecondSource } from '../each-database';
import { userRepositoryContract } from './user-repository.contract';
import { userTokenStoreContract } from './user-token-store.contract';

const inMemory = async () => {
  const consents = new MemoryConsentRepository();
  let ahead = 0;
  const tokens = new MemoryUserTokenStore({ clock: { now: () => Date.now() + ahead }, ids: { next: randomUUID } });
  const expireLeases = async () => {
    ahead += 3_600_000;
  };
  return { users: new MemoryUserRepository(consents, tokens), consents, tokens, other: tokens, expireLeases };
};
userRepositoryContract('memory', inMemory);
userTokenStoreContract('memory', inMemory);
consentRepositoryContract('memory', async () => (await inMemory()).consents);

onEachDatabase((name, database) => {
  const second = onSecondSource(name, database);

  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    const deps = { db, box, index: await openReferenceIndex(db, box) };
    return {
      users: new PostgresUserRepository(deps),
      consents: new PostgresConsentRepository(deps),
      tokens: new PostgresUserTokenStore(deps),
      other: new PostgresUserTokenStore({ ...deps, db: second() }),
      expireLeases: async () => {
        await db.query(`update user_tokens set lease_until = now() - interval '1 s' where lease_until is not null`);
      },
    };
  };
  userRepositoryContract(name, inDatabase);
  userTokenStoreContract(name, inDatabase);
  consentRepositoryContract(name, async () => (await inDatabase()).consents);

  it('holds nothing of a user that a dump would show', async () => {
    const { users, tokens: tokenStore } = await inDatabase();
    const user = {
      reference: 'canary-reference',
      email: 'canary@example.com',
      firstName: 'canary-name',
      customAttributes: readJsonText('{"canary-attribute":1}') as JsonObject,
    };
    const consent = { integrationId: 'int_1', call: 'connect', requestId: 'r' };
    const tokens = { accessToken: new Secret('canary-access'), refreshToken: new Secret('canary-refresh') };
    await users.store({ clientId: 'host_1', user, consent, tokens, at: 1 });
    const key = { clientId: 'host_1', reference: user.reference };
    const run = await tokenStore.claimRefresh(key, { version: '1' }, 60_000);
    const failure = { kind: 'partner-refused', code: 'PROCESS_FAIL', message: 'canary-message', details: '{}' };
    await tokenStore.failRefresh(key, run?.state === 'claimed' ? run.lease : '', failure);
    for (const table of ['users', 'user_tokens', 'consents', 'consent_entries']) {
      const rows: { shown: string }[] = await database().db.query(`select t::text as shown from ${table} t`);
      expect(rows).toHaveLength(1);
      const [{ shown }] = rows as [{ shown: string }];
      expect(shown).not.toMatch(/canary/);
      expect(shown).not.toContain(Buffer.from('canary').toString('hex'));
    }
  });

  it('writes no new row version of a consent that did not change', async () => {
    const { consents } = await inDatabase();
    const entry = {
      clientId: 'host_1',
      integrationId: 'int_1',
      reference: 'u',
      granted: true,
      fields: ['email'],
      call: 'connect',
      requestId: 'r',
      at: 1,
    };
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
