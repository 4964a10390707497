import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { explanationView } from '../../adapters/in/http/manage/credentials/explanation-view';
import { plainOf } from '../../adapters/in/http/manage/http/merge-patch';
import { readWholeDto } from '../../adapters/dto/read-dto';
import { signatureSettings } from '../../adapters/in/http/manage/credentials/signature-mapper';
import { SignatureDto } from '../../adapters/in/http/manage/credentials/signature.dto';
import { NodePublicKeyReader } from '../../adapters/out/signing/public-key-reader';
import { NodeSignatureLab } from '../../adapters/out/signing/signature-lab';
import { nodeSignatureText } from '../../adapters/out/signing/signature-text';
import type { InboundRequest } from '../../domain/credentials/check';
import type { Credentials, CredentialValue } from '../../domain/credentials/credential';
import { explainCase } from '../../domain/credentials/explain/explain-case';
import { headersOf, valuesOf } from '../../domain/credentials/explain/request-headers';
import { readHttpMessage } from '../../domain/credentials/explain/http-message';
import { sampleLanguages } from '../../domain/credentials/explain/sample-languages';
import { JsonObject } from '../../domain/shared/json';
import { readJson } from '../../domain/shared/read-json';
import { Secret } from '../../domain/shared/secret';
import { explanationText, type ExplanationView } from './explanation-text';
import { TemplateSamples } from '../../adapters/out/signing/samples/template-samples';
import { workClock } from '../../adapters/out/signing/explaining/work-clock';

/** The command was called with unusable arguments. */
export class WrongUsage extends Error {}

export interface ExplainOptions {
  readonly settings?: string;
  readonly baseUrl?: string;
  readonly merchantId?: string;
  readonly receivedAt?: string;
  readonly url?: string;
  readonly tokenFile?: string;
  readonly app?: string;
  readonly hostApp?: string;
  readonly exchange?: string;
  readonly language: string;
  readonly json?: true;
}

/**
 * Explains a saved request (`-`: standard input), offline with the settings in a file or by a running service. Prints the explanation.
 * True: the signature is valid, or its mistake is known. Throws WrongUsage.
 */
export async function explainRequest(
  file: string | undefined,
  options: ExplainOptions,
  { print, colour }: { readonly print: (text: string) => void; readonly colour: boolean },
): Promise<boolean> {
  const { language, settings, url } = options;
  if (!(sampleLanguages as readonly string[]).includes(language))
    throw new WrongUsage(`--language must be one of ${sampleLanguages.join(', ')}`);
  if ((settings === undefined) === (url === undefined))
    throw new WrongUsage('give either --settings (offline) or --url (a running service)');
  const explanation = url === undefined ? await explainOffline(file, options) : await explainAtService(url, file, options);
  print(options.json ? `${JSON.stringify(explanation, null, 2)}\n` : explanationText(explanation, { language, colour }));
  return explanation.verdict !== 'unknown';
}

async function requestIn(file: string | undefined): Promise<InboundRequest> {
  if (file === undefined) throw new WrongUsage('name the file of the request, or - for standard input');
  const bytes = file === '-' ? await buffer(process.stdin) : await readFile(file);
  return asUsage(() => readHttpMessage(bytes));
}

function asUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error));
  }
}

async function explainOffline(file: string | undefined, options: ExplainOptions): Promise<ExplanationView> {
  const request = await requestIn(file);
  const settings = await settingsIn(options.settings ?? '');
  const [host = 'localhost'] = valuesOf(headersOf(request), 'host');
  const receivedAt = options.receivedAt === undefined ? Date.now() : Date.parse(options.receivedAt);
  if (Number.isNaN(receivedAt)) throw new WrongUsage('--received-at must be a date and time as in RFC 3339');
  const theCase = {
    ...{ request, receivedAt, settings: signatureSettings(settings), credentials: credentialsOf(settings), merchantId: options.merchantId },
    ...{ publicBaseUrl: (options.baseUrl ?? `https://${host}`).replace(/\/$/, ''), windowS: 300, others: [], ids: {} },
  };
  const tools = { lab: new NodeSignatureLab(), signatureText: nodeSignatureText, work: workClock, samples: new TemplateSamples() };
  return explanationView(await explainCase(theCase, tools));
}

/** Reads signature settings as the manage API shows them, alone or as `signature` of a whole app. Ignores read-only members. */
async function settingsIn(file: string): Promise<SignatureDto> {
  const bytes = await readFile(file);
  const json = asUsage(() => readJson(bytes));
  if (!(json instanceof JsonObject)) throw new WrongUsage('--settings must be a JSON object');
  const inner = json.get('signature');
  const { dto, problems } = readWholeDto(SignatureDto, plainOf(inner instanceof JsonObject ? inner : json).plain);
  const wrong = problems.filter(({ rule }) => rule !== 'unknown member');
  if (wrong.length > 0) throw new WrongUsage(wrong.map(({ path, rule }) => `${path} ${rule}`).join('; '));
  return dto;
}

function credentialsOf({ hmac_secret: secret, partner_public_key: key }: SignatureDto): Credentials {
  const reading = key === undefined ? undefined : new NodePublicKeyReader().read(key);
  if (reading && !('spki' in reading)) throw new WrongUsage('partner_public_key is no public key');
  const value = (text: string): CredentialValue => ({ secret: new Secret(text), fingerprint: '', createdAt: 0 });
  return {
    ...(secret !== undefined && { hmac_secret: { current: value(secret) } }),
    ...(reading && { partner_public_key: { current: { ...value(reading.spki), publicKey: reading.spki } } }),
  };
}

async function explainAtService(url: string, file: string | undefined, options: ExplainOptions): Promise<ExplanationView> {
  const { tokenFile, app, hostApp, exchange, receivedAt } = options;
  if (tokenFile === undefined) throw new WrongUsage('--url needs --token-file, the file of the operator token');
  const token = (await readFile(tokenFile, 'utf8')).trim();
  const question =
    exchange === undefined
      ? { request: requestBody(await requestIn(file)), client_id: hostApp, app_id: app, received_at: receivedAt }
      : { exchange_id: exchange };
  const response = await fetch(`${url.replace(/\/$/, '')}/manage/v1/signatures/explain`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(question),
  });
  const answer = (await response.json()) as ExplanationView & {
    title?: string;
    detail?: string;
    errors?: readonly { path: string; rule: string }[];
  };
  if (response.ok) return answer;
  const errors = (answer.errors ?? []).map(({ path, rule }) => `${path} ${rule}`);
  throw new WrongUsage([answer.detail ?? answer.title ?? `the service answered ${String(response.status)}`, ...errors].join('; '));
}

const requestBody = ({ method, target, rawHeaders, body }: InboundRequest): object => ({
  ...{ method, target, body_base64: Buffer.from(body).toString('base64') },
  headers: headersOf({ rawHeaders }).map(({ name, value }) => [name, value]),
});
