import { defaultSignatureSettings, type SignatureSettings } from '../../../src/domain/credentials/signing/signature-settings';
import { eventCheckProblems, eventCheckWarning } from '../../../src/domain/partners/event-checks';
import { aHostApp, aMiniapp, anIntegration } from '../../support/partners/partners';

const on = (more: Partial<SignatureSettings> = {}): SignatureSettings => ({
  ...defaultSignatureSettings,
  ...{ enabled: true, algorithm: 'HMAC', apiClientId: 'c' },
  ...more,
});
const named = (prefix: string): SignatureSettings['headerNames'] => ({
  ...defaultSignatureSettings.headerNames,
  ...{ signature: `${prefix}-Signature`, timestamp: `${prefix}-Timestamp`, clientId: `${prefix}-Client` },
});
const noBasic = { basicAuthValidation: false };
const causes = (hostApp = aHostApp(), miniapp = aMiniapp()) => eventCheckProblems('both', { hostApp, miniapp }).map(({ cause }) => cause);

describe('two apps that are both checked on one event', () => {
  it('share no header that both of them use', () => {
    expect(causes(aHostApp({ signature: on() }), aMiniapp({ signature: on() }))).toEqual(['shared-header-names']);
    const upper = { ...named('X'), signature: 'X-SIGNATURE', timestamp: 'T', clientId: 'C' };
    expect(causes(aHostApp({ signature: on() }), aMiniapp({ signature: on({ headerNames: upper }) }))).toEqual(['shared-header-names']);
    expect(causes(aHostApp({ signature: on({ headerNames: named('H') }) }), aMiniapp({ signature: on() }))).toEqual([]);
  });

  it('may use the same header names if one of them does not sign or does not send them', () => {
    expect(causes(aHostApp(), aMiniapp({ signature: on() }))).toEqual([]);
    const nonces = { nonceLength: 32 };
    const host = (more: object) => aHostApp({ signature: on({ headerNames: named('H'), ...more }) });
    expect(causes(host(nonces), aMiniapp({ signature: on() }))).toEqual([]);
    expect(causes(host(nonces), aMiniapp({ signature: on(nonces) }))).toEqual(['shared-header-names']);
  });

  it('leave Authorization to Basic if the host app is asked for it', () => {
    const headerNames = { ...named('M'), signature: 'Authorization' };
    expect(causes(aHostApp(), aMiniapp({ signature: on({ headerNames }) }))).toEqual(['authorization-taken']);
    expect(causes(aHostApp(noBasic), aMiniapp({ signature: on({ headerNames }) }))).toEqual([]);
    const own = aHostApp({ basicWithSignature: true, signature: on({ headerNames }) });
    expect(causes(own)).toEqual(['authorization-taken']);
  });

  it.each(['miniapp', 'host_app'] as const)('are not compared with %s', (checkedBy) => {
    const parties = { hostApp: aHostApp({ signature: on() }), miniapp: aMiniapp({ signature: on() }) };
    expect(eventCheckProblems(checkedBy, parties)).toEqual([]);
  });
});

describe('the warning about events that the miniapp checks', () => {
  const { settings } = anIntegration();
  const listed = { ipWhitelist: { enabled: true, addresses: ['203.0.113.7'] } };

  it.each([
    ['a shared secret', aMiniapp({ signature: on() }), 'checked-by-miniapp'],
    ['an allowlist', aMiniapp(listed), 'checked-by-miniapp'],
    ['an RSA key pair', aMiniapp({ signature: on({ algorithm: 'RSA2' }), ...listed }), 'never-passes'],
    ['an EC key pair', aMiniapp({ signature: on({ algorithm: 'ECDSA' }) }), 'never-passes'],
    ['no check', aMiniapp(), 'never-passes'],
  ])('with %s', (_what, miniapp, cause) => {
    expect(eventCheckWarning(settings, miniapp)).toMatchObject({ path: 'host_app_events_checked_by', cause });
  });

  it('is not given without events, or if the host app is checked', () => {
    expect(eventCheckWarning({ ...settings, features: { sso: true } }, aMiniapp())).toBeUndefined();
    expect(eventCheckWarning({ ...settings, hostAppEventsCheckedBy: 'host_app' }, aMiniapp())).toBeUndefined();
  });
});
