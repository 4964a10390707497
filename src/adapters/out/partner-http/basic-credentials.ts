import type { HostApp } from '../../../domain/partners/host-app';
import { refusal, type Step } from '../../../domain/shared/errors';

/** The value of a Basic header after the scheme (RFC 7617). */
export const basicValue = (user: string, password: string): string => Buffer.from(`${user}:${password}`, 'utf8').toString('base64');

/**
 * The Basic credentials for a host app: the id and secret that it issued to the service. Throws HOSTAPP_INTEGRATION_NOT_SET when one of
 * them is missing, because no call may go out without credentials.
 */
export function hostAppBasic({ settings, credentials }: HostApp, step: Step): string {
  const secret = credentials.host_app_secret_key?.current?.secret;
  if (settings.hostAppClientId !== undefined && secret) return basicValue(settings.hostAppClientId, secret.reveal());
  const setting = secret ? 'host_app_client_id' : 'host_app_secret_key';
  throw refusal('invalid', 'HOSTAPP_INTEGRATION_NOT_SET', { side: 'hostapp', step, setting });
}
