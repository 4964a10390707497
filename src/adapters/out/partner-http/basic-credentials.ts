import type { HostApp } from '../../../domain/partners/host-app';
import { refusal, type Step } from '../../../domain/shared/errors';

/** The value of a Basic header behind its scheme word (RFC 7617). */
export const basicValue = (user: string, password: string): string => Buffer.from(`${user}:${password}`, 'utf8').toString('base64');

/**
 * The Basic value that proves us to a host app: the id and secret that it gave us. Throws HOSTAPP_INTEGRATION_NOT_SET where
 * one of them was never stored: no call goes out without credentials.
 */
export function hostAppBasic({ settings, credentials }: HostApp, step: Step): string {
  const secret = credentials.host_app_secret_key?.current?.secret;
  if (settings.hostAppClientId !== undefined && secret) return basicValue(settings.hostAppClientId, secret.reveal());
  const setting = secret ? 'host_app_client_id' : 'host_app_secret_key';
  throw refusal('invalid', 'HOSTAPP_INTEGRATION_NOT_SET', { side: 'hostapp', step, setting });
}
