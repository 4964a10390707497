import type { Integration } from '../../../src/domain/partners/integrations/integration';
import { UserTokenRejected } from '../../../src/domain/partners/partner-errors';
import { JsonNumber, JsonObject } from '../../../src/domain/shared/json';
import { Secret } from '../../../src/domain/shared/secret';
import type { HostAppSignOnGateway } from '../../../src/domain/sso/ports';
import type { UserData } from '../../../src/domain/sso/user-data';
import { aRelay } from '../../support/a-relay';
import { clock } from '../../support/partners/partner-http';

export interface HostAppHarness {
  readonly gateway: HostAppSignOnGateway;
  readonly integration: Integration;
  readonly hostApp: {
    knows(code: string, user: UserData): void;
    rejectTokens(times: number): void;
    givesNoRefreshToken(): void;
    refuse(code: string): void;
    garble(): void;
    vanish(): void;
    recover(): void;
    readonly exchanged: readonly string[];
    readonly refreshes: number;
  };
  close?(): Promise<void>;
}

const mia: UserData = {
  reference: 'user-mia',
  email: 'mia@example.com',
  phone: '+4915112345678',
  firstName: 'Mia 😀',
  lastName: 'Ünal',
  customAttributes: JsonObject.of({ points: new JsonNumber('1.10'), '10': null, '2': [true] }),
};

const calls = {
  exchange: ({ gateway, integration }: HostAppHarness) => gateway.exchangeCode(aRelay(clock), integration, new Secret('code')),
  refresh: ({ gateway, integration }: HostAppHarness) => gateway.refresh(aRelay(clock), integration, new Secret('refresh')),
  user_data: ({ gateway, integration }: HostAppHarness) => gateway.userData(aRelay(clock), integration, new Secret('access'), 1),
} as const;

const misbehaviours = [
  ['refuses', (h: HostAppHarness) => h.hostApp.refuse('PROCESS_FAIL'), 'partner-refused', 'PROCESS_FAIL'],
  ['talks nonsense', (h: HostAppHarness) => h.hostApp.garble(), 'partner-garbled', 'FAILED_TO_PARSE_RESPONSE'],
  ['hangs up', (h: HostAppHarness) => h.hostApp.vanish(), 'partner-unreachable', 'UNEXPECTED_RESPONSE_ERROR'],
] as const;

/** What the domain may rely on, whoever stands behind the port. */
export function hostAppSignOnGatewayContract(name: string, open: () => Promise<HostAppHarness>): void {
  describe(`HostAppSignOnGateway: ${name}`, () => {
    let harness: HostAppHarness;
    beforeEach(async () => {
      harness = await open();
    });
    afterEach(() => harness.close?.());

    it('exchanges a code for tokens, and reads the user of an access token', async () => {
      const { gateway, integration, hostApp } = harness;
      hostApp.knows('code-1', mia);
      const tokens = await gateway.exchangeCode(aRelay(clock), integration, new Secret('code-1'));
      expect(tokens.refreshToken?.reveal()).toMatch(/./);
      expect(await gateway.userData(aRelay(clock), integration, tokens.accessToken, 1)).toEqual(mia);
    });

    it('reads a user with only a reference', async () => {
      const { gateway, integration, hostApp } = harness;
      hostApp.knows('code-1', { reference: 'r' });
      const { accessToken } = await gateway.exchangeCode(aRelay(clock), integration, new Secret('code-1'));
      expect(await gateway.userData(aRelay(clock), integration, accessToken, 1)).toEqual({ reference: 'r' });
    });

    it('brings a code once for each call, and passes on that it is not taken', async () => {
      const { gateway, integration, hostApp } = harness;
      hostApp.knows('code-1', mia);
      await gateway.exchangeCode(aRelay(clock), integration, new Secret('code-1'));
      const again = gateway.exchangeCode(aRelay(clock), integration, new Secret('code-1'));
      await expect(again).rejects.toMatchObject({ kind: 'partner-refused', code: 'INVALID_AUTH_CODE' });
      expect(hostApp.exchanged).toEqual(['code-1', 'code-1']);
    });

    it('refreshes tokens', async () => {
      const { gateway, integration, hostApp } = harness;
      hostApp.knows('code-1', mia);
      const { refreshToken } = await gateway.exchangeCode(aRelay(clock), integration, new Secret('code-1'));
      const renewed = await gateway.refresh(aRelay(clock), integration, refreshToken!);
      expect((await gateway.userData(aRelay(clock), integration, renewed.accessToken, 2)).reference).toBe('user-mia');
      const reused = gateway.refresh(aRelay(clock), integration, refreshToken!);
      await expect(reused).rejects.toMatchObject({ kind: 'partner-refused', code: 'INVALID_REFRESH_TOKEN' });
      expect(hostApp.refreshes).toBe(2);
    });

    it('says where no refresh token came', async () => {
      const { gateway, integration, hostApp } = harness;
      hostApp.knows('code-1', mia);
      hostApp.givesNoRefreshToken();
      expect((await gateway.exchangeCode(aRelay(clock), integration, new Secret('code-1'))).refreshToken).toBeUndefined();
    });

    it('distinguishes a rejected token from every other refusal, and does not refresh it', async () => {
      const { gateway, integration, hostApp } = harness;
      hostApp.knows('code-1', mia);
      hostApp.rejectTokens(1);
      const { accessToken } = await gateway.exchangeCode(aRelay(clock), integration, new Secret('code-1'));
      const attempt = gateway.userData(aRelay(clock), integration, accessToken, 1);
      await expect(attempt).rejects.toThrow(UserTokenRejected);
      await expect(attempt).rejects.toMatchObject({ kind: 'partner-refused', code: 'EXPIRED_ACCESS_TOKEN' });
      expect(hostApp.refreshes).toBe(0);
      expect((await gateway.userData(aRelay(clock), integration, accessToken, 2)).reference).toBe('user-mia');
    });

    describe.each(Object.keys(calls) as (keyof typeof calls)[])('at step %s', (step) => {
      it.each(misbehaviours)('says so when the host app %s, and works again afterwards', async (_how, misbehave, kind, code) => {
        misbehave(harness);
        const attempt = calls[step](harness);
        await expect(attempt).rejects.toMatchObject({ kind, code, details: { side: 'hostapp', step } });
        await expect(attempt).rejects.not.toBeInstanceOf(UserTokenRejected);
        harness.hostApp.recover();
        harness.hostApp.knows('code-2', mia);
        await expect(harness.gateway.exchangeCode(aRelay(clock), harness.integration, new Secret('code-2'))).resolves.toBeDefined();
      });
    });
  });
}
