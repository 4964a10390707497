import { type CredentialValue, isInGrace } from '../../../../domain/credentials/credential';
import { UnusableKey, type SigningProvider } from '../../../../domain/credentials/ports';
import type { HostApp } from '../../../../domain/partners/host-app';
import type { Miniapp } from '../../../../domain/partners/miniapp';
import { type DomainError, refusal } from '../../../../domain/shared/errors';

/**
 * The signature headers of a delivery after Standard Webhooks, if the receiver wants them beside its other credentials. None without a
 * `webhook-id`, which only deliveries have. During the grace time of the previous secret both sign, so that the receiver can change to the
 * new one at any moment. Throws MISSING_REQUEST_SIGNATURE_SETTINGS without a secret.
 */
export async function webhookSignature(
  app: HostApp | Miniapp,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  hmac: SigningProvider,
): Promise<Record<string, string>> {
  const { 'webhook-id': id, 'webhook-timestamp': seconds } = headers;
  if (!app.settings.signature.webhookSignature || id === undefined || seconds === undefined) return {};
  const { current, previous } = app.credentials.hmac_secret ?? {};
  if (!current) throw incomplete(app);
  const keys = previous && isInGrace(previous, Number(seconds) * 1000) ? [current, previous] : [current];
  const text = Buffer.concat([Buffer.from(`${id}.${seconds}.`), body]);
  const sign = async (key: CredentialValue): Promise<string> => {
    const bytes = await hmac.sign({ text, hash: 'SHA-256', key });
    return `v1,${Buffer.from(bytes).toString('base64')}`;
  };
  try {
    return { 'webhook-signature': (await Promise.all(keys.map(sign))).join(' ') };
  } catch (error) {
    throw error instanceof UnusableKey ? incomplete(app) : error;
  }
}

function incomplete({ kind }: HostApp | Miniapp): DomainError {
  const side = kind === 'host-app' ? 'hostapp' : 'miniapp';
  return refusal('invalid', 'MISSING_REQUEST_SIGNATURE_SETTINGS', { side, setting: 'signature.hmac_secret' });
}
