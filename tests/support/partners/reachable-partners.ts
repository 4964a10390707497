import type { HostApp, HostAppSettings } from '../../../src/domain/partners/host-app';
import { Secret } from '../../../src/domain/shared/secret';
import { aHostApp } from './partners';

/** A host app that gave us an id and a secret to call it with. */
export const reachableHostApp = (settings: Partial<HostAppSettings> = {}, secret = 'host-app-secret-key'): HostApp =>
  aHostApp(
    { hostAppClientId: 'platform-at-host', ...settings },
    { host_app_secret_key: { current: { secret: new Secret(secret), fingerprint: `sha256:${secret}`, createdAt: 0 } } },
  );
