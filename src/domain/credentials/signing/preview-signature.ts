import { InvalidInput } from '../../shared/errors';
import { JsonSyntaxError } from '../../shared/json';
import { readJson } from '../../shared/read-json';
import { printJson } from '../../shared/print-json';
import type { CredentialValue } from '../credential';
import { shownText } from '../explain/visible-text';
import type { SampleLanguage } from '../explain/sample-languages';
import { type SampleGenerator, type SecretGenerator, type SignatureText, type SigningProviders, UnusableKey } from '../ports';
import { headerNameMembers } from './signature-rules';
import type { SignatureHeaderNames, SignatureSettings } from './signature-settings';
import { inboundUrl, prepareSigning, signingString, timestampText, type PreparedSigning, type SignedValues } from './signing-string';
import { TemplateRefused } from './signing-template';

/** A partner's call to sign, and the settings and key to sign it with. */
export interface PreviewCommand {
  readonly settings: SignatureSettings;
  /** The shared secret or the private key. Absent: only the signed text is built. */
  readonly key?: CredentialValue | undefined;
  readonly merchantId?: string | undefined;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body: Uint8Array;
  readonly timestamp?: string | undefined;
  readonly nonce?: string | undefined;
}

/** The steps of signing a call. */
export interface SignaturePreview {
  /** The value of `{url}` in the signed text. */
  readonly url: string;
  /** The signed text with visible escapes for invisible characters, cut in the middle where it is long. */
  readonly text: string;
  readonly bytes: number;
  /** Absent when no key was given. */
  readonly signature?: string;
  /** The headers to send, including the signature if it was made. */
  readonly headers: readonly (readonly [string, string])[];
  readonly code: Readonly<Record<SampleLanguage, string>>;
  /** Code that checks the platform's signatures under the same settings. */
  readonly checkingCode: Readonly<Record<SampleLanguage, string>>;
}

interface Deps {
  readonly providers: SigningProviders;
  readonly signatureText: SignatureText;
  readonly secrets: SecretGenerator;
  readonly samples: SampleGenerator;
  readonly publicBaseUrl: string;
}

/** Signs a call as a partner would, for developers who implement signing. For the manage API only, never used by relayed calls. */
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
      code: this.deps.samples.signing(settings, merchantId),
      checkingCode: this.deps.samples.checking(settings, merchantId),
    };
  }

  /** Missing values get placeholders such as `your-merchant-id`. */
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

/** The body in the agreed JSON form; a body that is not JSON stays unchanged. */
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
  return members.flatMap(([member, apiName]) => {
    const value = values[apiName];
    return value === undefined ? [] : [[names[member], value] as const];
  });
}
