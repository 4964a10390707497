import type { InboundRequest } from '../check';
import type { Credentials } from '../credential';
import type { SignatureText } from '../ports';
import { missingSignatureSettings } from '../signing/signature-rules';
import type { SignatureSettings } from '../signing/signature-settings';
import { inboundUrl, prepareSigning, type PreparedSigning } from '../signing/signing-string';
import type { AsSent } from './as-sent';
import type { Deviation } from './cause';
import type { Filling, TextDeviation } from './filling';
import { payloadDeviations } from './deviations/payload-deviations';
import type { OddScheme, SignatureLab, SignatureReading } from './ports';
import { headersOf, valuesOf } from './request-headers';
import type { SignedTexts, Trial } from './search-order';
import { signatureBytes } from './signature-bytes';
import { suspectKeys, type OtherSigner } from './suspect-keys';
import { digestDeviations, rareTemplateDeviations, templateDeviations } from './deviations/template-deviations';
import { distantTimestamps, precisionOf, timestampDeviations, type TimestampSource } from './deviations/timestamp-deviations';
import { rareUrlDeviations, urlDeviations, type UrlSource } from './deviations/url-deviations';
import { methodDeviations, valueDeviations } from './deviations/value-deviations';

/** A request to explain, and all settings and keys that apply to it. */
export interface SignatureCase {
  readonly request: InboundRequest;
  readonly settings: SignatureSettings;
  readonly credentials: Credentials;
  /** The merchant id of the integration; `undefined` when none is stored. */
  readonly merchantId: string | undefined;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly publicBaseUrl: string;
  readonly windowS: number;
  readonly others: readonly OtherSigner[];
  /** Ids of the call and the app by name, because senders sign the wrong one. */
  readonly ids: Readonly<Record<string, string>>;
}

export interface CaseTools {
  readonly lab: SignatureLab;
  readonly signatureText: SignatureText;
}

/** Missing settings; empty when they are complete. */
export function missingOf({ settings, credentials, merchantId }: SignatureCase): readonly string[] {
  const missing = missingSignatureSettings(settings, credentials, 'in').map((setting) => `signature.${setting}`);
  return merchantId === undefined && prepareSigning(settings).uses.has('merchant_id') ? [...missing, 'merchant_id'] : missing;
}

/** The values that must be signed: as sent where the sender chooses them, as stored otherwise. */
export function agreedFilling({ request, settings, merchantId, publicBaseUrl }: SignatureCase, { values }: AsSent): Filling {
  return {
    parts: prepareSigning(settings).parts,
    request_method: request.method.toUpperCase(),
    url: inboundUrl(request.target, settings.urlForm, publicBaseUrl) ?? request.target,
    client_id: settings.apiClientId ?? '',
    timestamp: values.timestamp ?? '',
    nonce: values.nonce ?? '',
    identity: settings.identity ?? '',
    merchant_id: merchantId ?? '',
    payload: request.body,
  };
}

const schemePhrases: Readonly<Record<OddScheme, string>> = {
  'rsa-pss': 'you signed with RSASSA-PSS; RSA2 is RSASSA-PKCS1-v1_5',
  'rsa-bare-digest':
    'you encrypted the bare digest with your RSA key; RSASSA-PKCS1-v1_5 puts the name of the hash before it: use a function that signs',
  'ecdsa-raw-unpadded': 'your r and s have not the length of the curve: pad each with zeros in front, or send DER',
  'ecdsa-der-broken': 'your r and s are not in proper DER: a zero byte belongs before a first byte of 80 or more, and none elsewhere',
};

/** Every interpretation of the signature that some known key can have made. */
export function trialsOf(theCase: SignatureCase, { signatures }: AsSent, tools: CaseTools): readonly Trial[] {
  const { settings, credentials, others, receivedAt } = theCase;
  const { algorithm = 'HMAC', hash } = settings;
  const ready = prepareSigning(settings);
  const suspects = suspectKeys({ algorithm, credentials, others, receivedAt }, tools.signatureText);
  const trials: Trial[] = [];
  for (const bytes of signatureBytes(signatures, { settings, ready, signatureText: tools.signatureText })) {
    for (const suspect of suspects) {
      for (const reading of tools.lab.readings(suspect.key, bytes.bytes)) {
        const odd: Deviation[] = [];
        if (reading.hash !== hash) odd.push({ codes: ['hash'], cost: 1, sentence: `you signed with ${reading.hash}; ${hash} is agreed` });
        if (reading.scheme) odd.push({ codes: [reading.scheme], cost: 1, sentence: schemePhrases[reading.scheme] });
        trials.push(trialOf(reading, [bytes, suspect, ...odd]));
      }
    }
  }
  return trials;
}

function trialOf(reading: SignatureReading, deviations: readonly Deviation[]): Trial {
  const coded = deviations.filter(({ codes }) => codes.length > 0);
  return {
    reading,
    codes: [...new Set(coded.flatMap(({ codes }) => codes))],
    sentence: coded.map(({ sentence }) => sentence).join('; '),
    cost: coded.reduce((sum, { cost }) => sum + cost, 0) + Math.max(0, coded.length - 1),
  };
}

/** Every way in which the signed text may differ from the agreed one. */
export function textsOf(theCase: SignatureCase, sent: AsSent, lab: SignatureLab): SignedTexts {
  const { request, settings } = theCase;
  const ready = prepareSigning(settings);
  const { payload, url, request_method: method, timestamp, nonce } = usedOf(ready);
  const bodies = (): readonly TextDeviation[] =>
    payload ? payloadDeviations({ body: request.body, form: ready.form, hash: settings.hash }, lab) : [];
  if ((timestamp && sent.values.timestamp === undefined) || (nonce && sent.values.nonce === undefined)) {
    // The missing header already explains the refusal, and its value is lost, so only deviations without a mistake are tried.
    const harmless = [...bodies(), ...timestampDeviations(timeSource(theCase, sent))].filter(({ codes }) => codes.length === 0);
    return { likely: () => harmless, rare: () => [] };
  }
  return {
    likely: () => [
      ...bodies(),
      ...(url ? urlDeviations(urlSource(theCase)) : []),
      ...(method ? methodDeviations(request.method) : []),
      ...(timestamp ? timestampDeviations(timeSource(theCase, sent)) : []),
      ...valueTexts(theCase, sent, ready),
      ...templateDeviations(ready.parts),
      ...digestDeviations(settings.hash),
    ],
    rare: () => [
      ...(timestamp ? distantTimestamps(timeSource(theCase, sent)) : []),
      ...(url ? rareUrlDeviations(urlSource(theCase)) : []),
      ...rareTemplateDeviations(ready.parts),
    ],
  };
}

function urlSource({ request, settings, publicBaseUrl, ids }: SignatureCase): UrlSource {
  const headers = headersOf(request);
  const hosts = ['host', 'x-forwarded-host', 'x-original-host'].flatMap((name) => valuesOf(headers, name));
  return { target: request.target, urlForm: settings.urlForm, publicBaseUrl, hosts, ids };
}

function timeSource({ settings, receivedAt }: SignatureCase, { values: { timestamp: sent } }: AsSent): TimestampSource {
  const sentPrecision = sent === undefined ? undefined : precisionOf(sent, receivedAt);
  return { sent, precision: settings.timestampPrecision, sentPrecision, receivedAt };
}

const usedOf = ({ uses }: PreparedSigning): Readonly<Partial<Record<string, true>>> =>
  Object.fromEntries([...uses].map((name) => [name, true as const]));

function valueTexts(theCase: SignatureCase, { values }: AsSent, { uses }: PreparedSigning): readonly TextDeviation[] {
  const { settings, merchantId } = theCase;
  const pool = poolOf(theCase);
  const fixed = [
    { part: 'client_id', agreed: settings.apiClientId, sent: values.clientId },
    { part: 'identity', agreed: settings.identity, sent: values.identity },
    { part: 'merchant_id', agreed: merchantId, sent: values.merchantId },
    { part: 'nonce', agreed: values.nonce ?? '', sent: undefined },
  ] as const;
  return fixed.flatMap(({ part, agreed, sent }) =>
    uses.has(part) && agreed !== undefined ? valueDeviations({ part, agreed, sent, pool }) : [],
  );
}

const short = 128;
const credentialHeader = /^(?:authorization|proxy-authorization|cookie)$/i;

/** Values that senders use instead of an id: other ids of the call and the app, then other values of the request. */
function poolOf({ ids, others, settings, merchantId, request, credentials }: SignatureCase): readonly string[] {
  const secrets = new Set(Object.values(credentials).flatMap((slots) => Object.values(slots).map(({ secret }) => secret.reveal())));
  const ownNames = [settings.apiClientId, settings.identity, merchantId].filter((value) => value !== undefined);
  const ofOthers = others.slice(0, 10).flatMap(({ apiClientId }) => (apiClientId === undefined ? [] : [apiClientId]));
  const headerValues = headersOf(request).flatMap(({ name, value }) => (credentialHeader.test(name) ? [] : [value]));
  const all = [...Object.values(ids), ...ownNames, ...ofOthers, ...textsIn(request.body), ...headerValues];
  return [...new Set(all)].filter((value) => value !== '' && value.length <= short && !secrets.has(value)).slice(0, 60);
}

/** The short strings of a JSON text, including its member names. */
function textsIn(body: Uint8Array): string[] {
  const text = new TextDecoder().decode(body.subarray(0, 20_000));
  return [...text.matchAll(/"([^"\\\n]{1,64})"/g)].map(([, value = '']) => value).slice(0, 60);
}
