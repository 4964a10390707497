import type { HostApp } from '../partners/host-app';
import type { Miniapp } from '../partners/miniapp';
import type { SignatureHeaderNames } from './signature-settings';

/**
 * Where a sender's own signature stands on an event that carries the miniapp's, too (`check_sender_credentials`): in the
 * headers that it has agreed on, or, where both have agreed on one of the same name, in all of them with `Sender-` in front:
 * `X-Signature` becomes `X-Sender-Signature`.
 */
export function senderHeaderNames(sender: HostApp | Miniapp, miniapp: Miniapp): SignatureHeaderNames {
  const { headerNames } = sender.settings.signature;
  const taken = new Set(Object.values(miniapp.settings.signature.headerNames).map((name: string) => name.toLowerCase()));
  const isShared = Object.values(headerNames).some((name: string) => taken.has(name.toLowerCase()));
  if (!miniapp.settings.signature.enabled || !isShared) return headerNames;
  const { signature, timestamp, clientId, nonce, identity, merchantId } = headerNames;
  return {
    signature: ofSender(signature),
    timestamp: ofSender(timestamp),
    clientId: ofSender(clientId),
    nonce: ofSender(nonce),
    identity: ofSender(identity),
    merchantId: ofSender(merchantId),
  };
}

const ofSender = (name: string): string => (/^x-/i.test(name) ? `X-Sender-${name.slice(2)}` : `Sender-${name}`);
