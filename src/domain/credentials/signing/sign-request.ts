import type { HostApp } from '../../partners/host-app';
import type { Miniapp } from '../../partners/miniapp';
import { refusal } from '../../shared/errors';
import type { Clock } from '../../shared/ports';
import { UnusableKey, type CredentialUseLog, type SecretGenerator, type SignatureText, type SigningProviders } from '../ports';
import { missingSignatureSettings } from './signature-rules';
import type { SignatureHeaderNames } from './signature-settings';
import { outboundUrl, prepareSigning, signingString, timestampText } from './signing-string';

/** Our own request, as it will be sent. */
export interface OutboundRequest {
  readonly method: string;
  /** The URL as configured. */
  readonly url: string;
  /** The exact bytes that are sent; empty where there is no body. */
  readonly body: Uint8Array;
  /** Headers that are already set. If a nonce or timestamp is among them, it is used for signing. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface SignRequestCommand {
  readonly receiver: HostApp | Miniapp;
  /** The merchant id of the integration. */
  readonly merchantId: string | undefined;
  readonly request: OutboundRequest;
}

interface Deps {
  readonly providers: SigningProviders;
  readonly signatureText: SignatureText;
  readonly secrets: SecretGenerator;
  readonly uses: CredentialUseLog;
  readonly clock: Clock;
}

/** Makes the signature headers of our requests to a partner that requires signatures (contract/signatures#outbound-signatures). */
export class SignRequest {
  constructor(private readonly deps: Deps) {}

  /** Throws MISSING_REQUEST_SIGNATURE_SETTINGS where settings or key are missing. */
  async execute({ receiver, merchantId, request }: SignRequestCommand): Promise<Readonly<Record<string, string>>> {
    const { signature: settings } = receiver.settings;
    const ready = prepareSigning(settings);
    const { algorithm = 'HMAC', headerNames: names, apiClientId: client_id, identity } = settings;
    const [missing] = missingSignatureSettings(settings, receiver.credentials, 'out');
    if (missing !== undefined) throw incomplete(receiver, `signature.${missing}`);
    const merchant_id = ready.uses.has('merchant_id') ? merchantId : undefined;
    if (ready.uses.has('merchant_id') && merchant_id === undefined) throw incomplete(receiver, 'merchant_id');

    const timestamp = given(request, names.timestamp) ?? timestampText(this.deps.clock.now(), ready);
    const nonce = settings.nonceLength > 0 ? (given(request, names.nonce) ?? this.deps.secrets.letters(settings.nonceLength)) : undefined;
    const stated = present({ client_id, timestamp, nonce, identity, merchant_id });
    const url = outboundUrl(request.url, settings.urlForm);
    const text = signingString(ready.parts, { request_method: request.method, url, payload: request.body, ...stated });
    const kind = algorithm === 'HMAC' ? 'hmac_secret' : 'platform_key';
    const key = receiver.credentials[kind]?.current;
    if (!key) throw incomplete(receiver, `signature.${kind}`);
    const bytes = await this.deps.providers[algorithm].sign({ text, hash: settings.hash, key }).catch((error: unknown) => {
      throw error instanceof UnusableKey ? incomplete(receiver, `signature.${kind}`) : error;
    });
    this.deps.uses.used({ partner: receiver.kind, id: receiver.id, kind, value: key });
    const signature = `${ready.before}${this.deps.signatureText.encode(bytes, settings.encoding)}${ready.after}`;
    return headersOf({ signature, ...stated }, names);
  }
}

const memberOf: Readonly<Record<string, keyof SignatureHeaderNames>> = {
  client_id: 'clientId',
  timestamp: 'timestamp',
  nonce: 'nonce',
  identity: 'identity',
  merchant_id: 'merchantId',
  signature: 'signature',
};

function headersOf(values: Readonly<Record<string, string>>, names: SignatureHeaderNames): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const member = memberOf[name];
    if (member) headers[names[member]] = value;
  }
  return headers;
}

const given = ({ headers }: OutboundRequest, name: string): string | undefined =>
  Object.entries(headers).find(([header]) => header.toLowerCase() === name.toLowerCase())?.[1];

const present = (values: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));

const incomplete = ({ kind }: HostApp | Miniapp, setting: string): Error =>
  refusal('invalid', 'MISSING_REQUEST_SIGNATURE_SETTINGS', { side: kind === 'host-app' ? 'hostapp' : 'miniapp', setting });
