import { InvalidInput } from '../shared/errors';
import { JsonSyntaxError, printJson, readJson } from '../shared/json';
import type { CredentialValue } from './credential';
import { shownText } from './explain/visible-text';
import { samplesFor, type SampleLanguage } from './explain/samples/sample';
import { verifiersFor, type CheckingLanguage } from './explain/samples/verifier';
import { type SecretSource, type SignatureText, type SigningProviders, UnusableKey } from './ports';
import { headerNameMembers } from './signature-rules';
import type { SignatureHeaderNames, SignatureSettings } from './signature-settings';
import { inboundUrl, prepareSigning, signingString, timestampText, type PreparedSigning, type SignedValues } from './signing-string';
import { TemplateRefused } from './signing-template';

/** A call of a partner that is to be signed, and with what. */
export interface PreviewCommand {
  readonly settings: SignatureSettings;
  /** The shared secret or the private key; absent: the text alone is wanted. */
  readonly key?: CredentialValue | undefined;
  readonly merchantId?: string | undefined;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body: Uint8Array;
  readonly timestamp?: string | undefined;
  readonly nonce?: string | undefined;
}

/** How a call is signed, step by step. */
export interface SignaturePreview {
  /** `{url}` as it is signed. */
  readonly url: string;
  /** The signed text, its invisible characters shown, cut in the middle where it is long. */
  readonly text: string;
  readonly bytes: number;
  /** Absent: no key was given. */
  readonly signature?: string;
  /** Those to send, the signature among them where it was made. */
  readonly headers: readonly (readonly [string, string])[];
  readonly code: Readonly<Record<SampleLanguage, string>>;
  /** Checks what the platform signs under the same settings. */
  readonly checkingCode: Readonly<Record<CheckingLanguage, string>>;
}

interface Deps {
  readonly providers: SigningProviders;
  readonly signatureText: SignatureText;
  readonly secrets: SecretSource;
  readonly publicBaseUrl: string;
}

/** Signs a call as a partner would, for people who build the signing. For managing: never on the path of a call. */
export class PreviewSignature {
  constructor(private readonly deps: Deps) {}

  /** Throws InvalidInput where settings, request or key cannot be used. `now` in milliseconds since the epoch. */
  async execute(command: PreviewCommand, now: number): Promise<SignaturePreview> {
    const { settings, merchantId, target } = command;
    const ready = prepared(settings);
    const url = inboundUrl(target, settings.urlForm, this.deps.publicBaseUrl);
    if (url === undefined) throw invalid('request.target', 'must be a path of a URI, beginning with /, encoded where it has to be');
    const values = this.values(command, ready, now);
    const payload = payloadOf(command.body, ready);
    const text = signingString(ready.parts, { ...values, request_method: command.method.toUpperCase(), url, payload });
    const signature = await this.sign(command, text, ready);
    return {
      url,
      text: shownText(text),
      bytes: text.length,
      ...(signature !== undefined && { signature }),
      headers: headersOf({ ...values, ...(signature !== undefined && { signature }) }, settings.headerNames),
      code: samplesFor(settings, { merchantId }),
      checkingCode: verifiersFor(settings, { merchantId }),
    };
  }

  /** What stands in for values that are not set yet says so by itself. */
  private values({ settings, merchantId, timestamp, nonce }: PreviewCommand, ready: PreparedSigning, now: number): StatedValues {
    const { nonceLength, identity, apiClientId = ready.uses.has('client_id') ? 'your-api-client-id' : undefined } = settings;
    return {
      timestamp: timestamp ?? timestampText(now, ready),
      ...(apiClientId !== undefined && { client_id: apiClientId }),
      ...(nonceLength > 0 && { nonce: nonce ?? this.deps.secrets.letters(nonceLength) }),
      ...(identity !== undefined && { identity }),
      ...(ready.uses.has('merchant_id') && { merchant_id: merchantId ?? 'your-merchant-id' }),
    };
  }

  private async sign({ settings, key }: PreviewCommand, text: Uint8Array, ready: PreparedSigning): Promise<string | undefined> {
    if (!key) return undefined;
    const provider = this.deps.providers[settings.algorithm ?? 'HMAC'];
    const bytes = await provider.sign({ text, hash: settings.hash, key }).catch((error: unknown) => {
      throw error instanceof UnusableKey ? invalid('key', 'cannot be used with the algorithm') : error;
    });
    return `${ready.before}${this.deps.signatureText.encode(bytes, settings.encoding)}${ready.after}`;
  }
}

type StatedValues = Omit<SignedValues, 'payload' | 'url' | 'request_method'>;

const invalid = (path: string, rule: string): InvalidInput => new InvalidInput([{ path, rule, cause: 'preview' }]);

function prepared(settings: SignatureSettings): PreparedSigning {
  try {
    return prepareSigning(settings);
  } catch (error) {
    throw error instanceof TemplateRefused ? invalid('signature.payload_template', error.message) : error;
  }
}

/** The body in the agreed form, as a careful partner signs it; a body that is not JSON stays as it is. */
function payloadOf(body: Uint8Array, { form }: PreparedSigning): Uint8Array {
  if (body.length === 0) return body;
  try {
    return new TextEncoder().encode(printJson(readJson(body), form));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return body;
    throw error;
  }
}

function headersOf(
  values: Readonly<Record<string, string | undefined>>,
  names: SignatureHeaderNames,
): readonly (readonly [string, string])[] {
  const members = Object.entries(headerNameMembers) as [keyof SignatureHeaderNames, string][];
  return members.flatMap(([member, wireName]) => {
    const value = values[wireName];
    return value === undefined ? [] : [[names[member], value] as const];
  });
}
