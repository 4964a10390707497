import type { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { Secret } from '../../../src/domain/shared/secret';
import type { ConsentEntry } from '../../../src/domain/sso/consent';
import type { ConsentBySignOn, ConsentRepository, UserRepository, UserTokenStore } from '../../../src/domain/sso/ports';
import type { UserData } from '../../../src/domain/sso/user-data';
import { notIds } from '../each-database';

export interface SignOnHarness {
  readonly users: UserRepository;
  readonly consents: ConsentRepository;
  /** Of the same storage. */
  readonly tokens: UserTokenStore;
}

const at = 1_700_000_000_000;

const consent = (more: Partial<ConsentBySignOn> = {}): ConsentBySignOn => ({
  integrationId: 'int_1',
  call: 'connect',
  requestId: 'req-1',
  ...more,
});

/** The entry in the store that the consent leaves. */
const granted = (reference: string, more: Partial<ConsentEntry> = {}): ConsentEntry => ({
  ...consent(),
  clientId: 'host_1',
  reference,
  granted: true,
  at,
  ...more,
});

/** What sign-on may rely on, whoever keeps users and consents. */
export function userRepositoryContract(name: string, open: () => Promise<SignOnHarness>): void {
  describe(`UserRepository: ${name}`, () => {
    let users: UserRepository;
    let consents: ConsentRepository;
    let tokenStore: UserTokenStore;
    beforeEach(async () => {
      ({ users, consents, tokens: tokenStore } = await open());
    });

    it('stores every field of a user, custom attributes in order and to the digit', async () => {
      const customAttributes = readJsonText(
        '{"z":1.10,"a":[12345678901234567890.5,null],"__proto__":{"x":"\\u20ac"},"1":true}',
      ) as JsonObject;
      const user: UserData = {
        reference: 'üser/1 €',
        email: 'a@example.com',
        phone: '+6512345',
        firstName: 'A',
        lastName: 'B',
        customAttributes,
      };
      await users.store({ clientId: 'host_1', user, at });
      expect(await users.find('host_1', 'üser/1 €')).toEqual(user);
    });

    it('keeps a user who is only a reference', async () => {
      await users.store({ clientId: 'host_1', user: { reference: 'r' }, at });
      expect(await users.find('host_1', 'r')).toEqual({ reference: 'r' });
      expect(await tokenStore.find({ clientId: 'host_1', reference: 'r' })).toBeUndefined();
    });

    it('replaces the whole user at each sign-on, absent fields too', async () => {
      await users.store({ clientId: 'host_1', user: { reference: 'r', email: 'old@example.com' }, at });
      await users.store({ clientId: 'host_1', user: { reference: 'r', phone: '+6512345' }, at: at + 1 });
      expect(await users.find('host_1', 'r')).toEqual({ reference: 'r', phone: '+6512345' });
    });

    it('knows a user by host app and reference together', async () => {
      await users.store({ clientId: 'host_1', user: { reference: 'r', email: 'one@example.com' }, at });
      await users.store({ clientId: 'host_2', user: { reference: 'r', email: 'two@example.com' }, at });
      expect((await users.find('host_1', 'r'))?.email).toBe('one@example.com');
      expect(await users.find('host_3', 'r')).toBeUndefined();
      expect(await users.find('host_1', 'R')).toBeUndefined();
    });

    it('keeps tokens until new ones come', async () => {
      const tokens = { accessToken: new Secret('access-1'), refreshToken: new Secret('refresh-1') };
      await users.store({ clientId: 'host_1', user: { reference: 'r' }, tokens, at });
      await users.store({ clientId: 'host_1', user: { reference: 'r' }, at });
      const kept = await tokenStore.find({ clientId: 'host_1', reference: 'r' });
      expect([kept?.accessToken.reveal(), kept?.refreshToken?.reveal()]).toEqual(['access-1', 'refresh-1']);

      await users.store({ clientId: 'host_1', user: { reference: 'r' }, tokens: { accessToken: new Secret('access-2') }, at });
      const replaced = await tokenStore.find({ clientId: 'host_1', reference: 'r' });
      expect([replaced?.accessToken.reveal(), replaced?.refreshToken]).toEqual(['access-2', undefined]);
    });

    it('records the consent that comes with a sign-on, once', async () => {
      for (const requestId of ['req-1', 'req-2']) {
        await users.store({ clientId: 'host_1', user: { reference: 'user-1' }, consent: consent({ requestId }), at });
      }
      expect(await consents.isGranted({ clientId: 'host_1', integrationId: 'int_1', reference: 'user-1' })).toBe(true);
      expect(await consents.entries({ clientId: 'host_1', integrationId: 'int_1', reference: 'user-1' })).toEqual([granted('user-1')]);
    });

    it('stores one user and one consent entry for twenty concurrent sign-ons', async () => {
      const signOns = Array.from({ length: 20 }, (_, i) =>
        users.store({
          clientId: 'host_1',
          user: { reference: 'user-1', email: `${i}@example.com` },
          consent: consent(),
          tokens: { accessToken: new Secret(`access-${i}`) },
          at,
        }),
      );
      await Promise.all(signOns);
      const user = await users.find('host_1', 'user-1');
      const tokens = await tokenStore.find({ clientId: 'host_1', reference: 'user-1' });
      expect(tokens?.accessToken.reveal()).toBe(`access-${parseInt(user?.email ?? '', 10)}`);
      expect(await consents.entries({ clientId: 'host_1', integrationId: 'int_1', reference: 'user-1' })).toHaveLength(1);
    });

    it("keeps the last of a user's concurrent sign-ons at many miniapps", async () => {
      const signOns = Array.from({ length: 30 }, (_, i) => ({
        clientId: 'host_1',
        user: { reference: 'user-1', email: `${i}@example.com` },
        at: at + i,
        ...(i % 3 > 0 && { consent: consent({ integrationId: `int_${i % 5}`, requestId: `req-${i}` }) }),
        ...(i < 20 && { tokens: { accessToken: new Secret(`access-${i}`) } }),
      }));
      await Promise.all(signOns.map((signOn) => users.store(signOn)));
      expect(await users.find('host_1', 'user-1')).toEqual({ reference: 'user-1', email: '29@example.com' });
      expect((await tokenStore.find({ clientId: 'host_1', reference: 'user-1' }))?.accessToken.reveal()).toBe('access-19');
      for (const integrationId of ['int_0', 'int_1', 'int_2', 'int_3', 'int_4']) {
        expect(await consents.isGranted({ clientId: 'host_1', integrationId, reference: 'user-1' })).toBe(true);
        expect(await consents.entries({ clientId: 'host_1', integrationId, reference: 'user-1' })).toHaveLength(1);
      }
    });

    it('stores concurrent sign-ons of many users as if each came alone', async () => {
      const references = Array.from({ length: 60 }, (_, i) => `user-${i}`);
      const signOn = (reference: string, i: number) =>
        users.store({
          clientId: `host_${i % 2}`,
          user: { reference, email: `${i}@example.com` },
          at: at + i,
          ...(i % 3 > 0 && { consent: consent({ integrationId: `int_${i % 2}` }) }),
          ...(i % 4 > 0 && {
            tokens: { accessToken: new Secret(`access-${i}`), ...(i % 8 > 3 && { refreshToken: new Secret(`refresh-${i}`) }) },
          }),
        });
      await Promise.all([...references.map(signOn), ...references.map(signOn).reverse()]);
      for (const [i, reference] of references.entries()) {
        const clientId = `host_${i % 2}`;
        expect(await users.find(clientId, reference)).toEqual({ reference, email: `${i}@example.com` });
        const tokens = await tokenStore.find({ clientId, reference });
        expect([tokens?.accessToken.reveal(), tokens?.refreshToken?.reveal()]).toEqual([
          i % 4 > 0 ? `access-${i}` : undefined,
          i % 4 > 0 && i % 8 > 3 ? `refresh-${i}` : undefined,
        ]);
        const integrationId = `int_${i % 2}`;
        const entries = await consents.entries({ clientId, integrationId, reference });
        expect(entries).toEqual(i % 3 > 0 ? [granted(reference, { clientId, integrationId, at: at + i })] : []);
      }
    });

    it('keeps the whole reference over sign-ons, and in each recorded change', async () => {
      const key = { clientId: 'host_1', integrationId: 'int_1', reference: 'user-1' };
      const signOn = (requestId: string) =>
        users.store({ clientId: 'host_1', user: { reference: 'user-1', email: requestId }, consent: consent({ requestId }), at });
      await signOn('req-1');
      await signOn('req-2');
      await consents.record(granted('user-1', { granted: false, requestId: 'req-3' }));
      await signOn('req-4');
      expect(await users.find('host_1', 'user-1')).toEqual({ reference: 'user-1', email: 'req-4' });
      expect((await consents.entries(key)).map(({ reference, requestId }) => [reference, requestId])).toEqual([
        ['user-1', 'req-1'],
        ['user-1', 'req-3'],
        ['user-1', 'req-4'],
      ]);
    });

    it('renews the consent of known users who have withdrawn it, and of no others', async () => {
      const references = Array.from({ length: 30 }, (_, i) => `user-${i}`);
      const signOnAll = (requestId: string) =>
        Promise.all(
          references.map((reference, i) =>
            users.store({
              clientId: `host_${i % 2}`,
              user: { reference, email: `${requestId}-${i}@example.com` },
              ...(i % 5 > 0 && { consent: consent({ requestId }) }),
              at,
            }),
          ),
        );
      await signOnAll('req-1');
      await signOnAll('req-2');
      const taken = ['user-3', 'user-7', 'user-29'];
      for (const reference of taken) await consents.record(granted(reference, { granted: false, requestId: 'req-3' }));
      await signOnAll('req-4');
      for (const [i, reference] of references.entries()) {
        const clientId = `host_${i % 2}`;
        expect(await users.find(clientId, reference)).toEqual({ reference, email: `req-4-${i}@example.com` });
        const entries = await consents.entries({ clientId, integrationId: 'int_1', reference });
        expect(entries.map(({ granted, requestId }) => [granted, requestId])).toEqual([
          ...(i % 5 > 0 ? [[true, 'req-1']] : []),
          ...(taken.includes(reference)
            ? [
                [false, 'req-3'],
                [true, 'req-4'],
              ]
            : []),
        ]);
      }
    });

    it('leaves a consent that stands as it was said', async () => {
      const decision = granted('user-1', { fields: ['email'], textVersion: '2', call: 'save_consent' });
      await consents.record(decision);
      await users.store({ clientId: 'host_1', user: { reference: 'user-1' }, consent: consent({ requestId: 'req-2' }), at });
      expect(await consents.entries({ clientId: 'host_1', integrationId: 'int_1', reference: 'user-1' })).toEqual([decision]);
    });

    it('renews a consent that was withdrawn', async () => {
      const key = { clientId: 'host_1', integrationId: 'int_1', reference: 'user-1' };
      await consents.record(granted('user-1', { fields: ['email'], textVersion: '2' }));
      await consents.record(granted('user-1', { granted: false }));
      await users.store({ clientId: 'host_1', user: { reference: 'user-1' }, consent: consent({ requestId: 'req-3' }), at });
      expect(await consents.isGranted(key)).toBe(true);
      expect((await consents.entries(key)).map(({ granted, fields, requestId }) => [granted, fields, requestId])).toEqual([
        [true, ['email'], 'req-1'],
        [false, undefined, 'req-1'],
        [true, undefined, 'req-3'],
      ]);
    });

    it.each(notIds)('never takes %s for an id, though a user is there', async (_what, id) => {
      await users.store({ clientId: 'host_1', user: { reference: 'r' }, tokens: { accessToken: new Secret('a') }, at });
      const missing = id as string;
      await expect(users.find(missing, 'r')).rejects.toThrow();
      await expect(users.find('host_1', missing)).rejects.toThrow();
      await expect(users.store({ clientId: missing, user: { reference: 'r' }, at })).rejects.toThrow();
      await expect(users.store({ clientId: 'host_1', user: { reference: missing }, at })).rejects.toThrow();
    });
  });
}
