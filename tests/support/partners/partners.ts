import type { Credentials } from '../../../src/domain/credentials/credential';
import { defaultHostAppSettings, type HostApp, type HostAppSettings } from '../../../src/domain/partners/host-app';
import { defaultIntegrationSettings, type Integration } from '../../../src/domain/partners/integrations/integration';
import { defaultMiniappSettings, type Miniapp, type MiniappSettings } from '../../../src/domain/partners/miniapp';
import { Secret } from '../../../src/domain/shared/secret';

const allOn = { sso: true, payments: true, events: true };

const secretKey = (text: string): Credentials => ({
  secret_key: { current: { secret: new Secret(text), fingerprint: `sha256:${text.slice(0, 4)}`, createdAt: 0 } },
});

/** A host app with every feature on. */
export const aHostApp = (settings: Partial<HostAppSettings> = {}, credentials: Credentials = secretKey('host-secret')): HostApp => ({
  kind: 'host-app',
  id: 'host_abc123def456',
  version: 1,
  settings: { name: 'Host', ...defaultHostAppSettings, features: allOn, ...settings },
  credentials,
});

/** A miniapp with every feature on. */
export const aMiniapp = (settings: Partial<MiniappSettings> = {}, credentials: Credentials = secretKey('mini-secret')): Miniapp => ({
  kind: 'miniapp',
  id: 'app_abc123',
  version: 1,
  settings: { name: 'Mini', ...defaultMiniappSettings, features: allOn, ...settings },
  credentials,
});

/** An accepted integration of the two. */
export const anIntegration = (parts: { hostApp?: HostApp; miniapp?: Miniapp } = {}): Integration => ({
  id: 'int_1',
  hostApp: parts.hostApp ?? aHostApp(),
  miniapp: parts.miniapp ?? aMiniapp(),
  settings: { ...defaultIntegrationSettings, status: 'accepted', features: allOn },
});
