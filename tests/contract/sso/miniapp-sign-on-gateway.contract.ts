import type { Integration } from '../../../src/domain/partners/integrations/integration';
import { JsonNumber, JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { printJson } from '../../../src/domain/shared/print-json';
import type { MiniappLoginGateway, MiniappSignOnGateway } from '../../../src/domain/sso/ports';
import type { UserData } from '../../../src/domain/sso/user-data';
import { aRelay } from '../../support/a-relay';
import { clock } from '../../support/partners/partner-http';

export interface MiniappHarness {
  readonly gateway: MiniappSignOnGateway & MiniappLoginGateway;
  readonly integration: Integration;
  readonly miniapp: {
    givesNoRefreshToken(): void;
    refuse(code: string): void;
    garble(): void;
    vanish(): void;
    recover(): void;
    readonly receivedUsers: readonly UserData[];
    readonly loggedIn: readonly JsonObject[];
  };
  close?(): Promise<void>;
}

const mia: UserData = {
  reference: 'user-mia',
  email: 'mia@example.com',
  phone: '+4915112345678',
  firstName: 'Mia "M" 😀',
  lastName: 'Ünal',
  customAttributes: JsonObject.of({ '10': new JsonNumber('1.10'), '2': new JsonNumber('12345678901234567890'), __proto: null }),
};

const misbehaviours = [
  ['refuses', (h: MiniappHarness) => h.miniapp.refuse('USER_BLOCKED'), 'partner-refused', 'USER_BLOCKED'],
  ['talks nonsense', (h: MiniappHarness) => h.miniapp.garble(), 'partner-garbled', 'FAILED_TO_PARSE_RESPONSE'],
  ['hangs up', (h: MiniappHarness) => h.miniapp.vanish(), 'partner-unreachable', 'UNEXPECTED_RESPONSE_ERROR'],
] as const;

/** What the domain may rely on, whoever stands behind the port. */
export function miniappSignOnGatewayContract(name: string, open: () => Promise<MiniappHarness>): void {
  describe(`MiniappSignOnGateway: ${name}`, () => {
    let harness: MiniappHarness;
    beforeEach(async () => {
      harness = await open();
    });
    afterEach(() => harness.close?.());

    it.each([
      ['all of a user', mia],
      ['a user of whom only the reference is known', { reference: 'r' }],
    ])('hands over %s, untouched, and brings back a session', async (_what, user) => {
      const { gateway, integration, miniapp } = harness;
      const pair = await gateway.authToken(aRelay(clock), integration, user);
      expect(pair.token.reveal()).toBe('session-1');
      expect(pair.refreshToken.reveal()).toBe('session-refresh-1');
      expect(miniapp.receivedUsers).toEqual([user]);
      const [received] = miniapp.receivedUsers;
      expect(printJson(received?.customAttributes ?? null)).toBe(printJson(user.customAttributes ?? null));
    });

    it('hands over facts that name no reference as they are', async () => {
      const { gateway, integration, miniapp } = harness;
      const claims = readJsonText('{"z":"1","10":1.10,"2":1E5,"nil":null,"deep":{"b":[],"a":{}}}') as JsonObject;
      const pair = await gateway.login(aRelay(clock), integration, claims);
      expect([pair.token.reveal(), pair.refreshToken.reveal()]).toEqual(['session-1', 'session-refresh-1']);
      expect(miniapp.loggedIn.map((one) => printJson(one))).toEqual([printJson(claims)]);
    });

    it('gives an empty refresh token where the miniapp gives none', async () => {
      harness.miniapp.givesNoRefreshToken();
      const pair = await harness.gateway.authToken(aRelay(clock), harness.integration, mia);
      expect(pair.refreshToken.reveal()).toBe('');
    });

    it.each(misbehaviours)('says so when the miniapp %s, and works again afterwards', async (_how, misbehave, kind, code) => {
      misbehave(harness);
      const attempt = harness.gateway.authToken(aRelay(clock), harness.integration, mia);
      await expect(attempt).rejects.toMatchObject({ kind, code, details: { side: 'miniapp', step: 'miniapp_token' } });
      expect(harness.miniapp.receivedUsers).toEqual([]);
      harness.miniapp.recover();
      await expect(harness.gateway.authToken(aRelay(clock), harness.integration, mia)).resolves.toBeDefined();
    });

    it.each(misbehaviours)('says so for claims, too, when the miniapp %s', async (_how, misbehave, kind, code) => {
      misbehave(harness);
      const attempt = harness.gateway.login(aRelay(clock), harness.integration, JsonObject.of({ name: 'Bob' }));
      await expect(attempt).rejects.toMatchObject({ kind, code, details: { side: 'miniapp', step: 'miniapp_token' } });
      expect(harness.miniapp.loggedIn).toEqual([]);
    });
  });
}
