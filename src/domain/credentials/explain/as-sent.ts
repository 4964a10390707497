import type { InboundRequest } from '../check';
import type { SignatureSettings } from '../signing/signature-settings';
import { readTimestamp, type PreparedSigning } from '../signing/signing-string';
import type { Deviation } from './cause';
import { headersOf, misnamed, valuesOf, type HeaderRole, type SentHeader } from './request-headers';
import type { SignatureHeader } from './signature-bytes';
import { precisionOf, unitsOf } from './deviations/timestamp-deviations';

/** The headers of a request, and mistakes in them that do not depend on the signed text. */
export interface AsSent {
  /** Reasons to refuse the request that need no check of the signature. */
  readonly findings: readonly Deviation[];
  /** Headers that may hold the signature; empty when there are none. */
  readonly signatures: readonly SignatureHeader[];
  /** Values by role, under whatever header name they were found. Absent when not sent. */
  readonly values: Readonly<Partial<Record<Exclude<HeaderRole, 'signature'>, string>>>;
  /** Seconds by which the sender's clock is ahead; negative: behind. Absent when the request has no timestamp. */
  readonly clockSkewS?: number;
}

export interface SentSource {
  readonly request: InboundRequest;
  readonly settings: SignatureSettings;
  readonly ready: PreparedSigning;
  readonly merchantId: string | undefined;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly windowS: number;
}

const finding = (code: Deviation['codes'][number], sentence: string): Deviation => ({ codes: [code], sentence, cost: 0 });

/** Reads the headers as the check does, and searches for missing ones under other names. */
export function readAsSent(source: SentSource): AsSent {
  const { request, settings } = source;
  const headers = headersOf(request);
  const findings: Deviation[] = [];
  const values: Partial<Record<HeaderRole, string>> = {};
  for (const role of ['timestamp', 'clientId', 'nonce', 'identity', 'merchantId'] as const) {
    const value = readValue(role, { source, headers, findings });
    if (value !== undefined) values[role] = value;
  }
  const time = values.timestamp === undefined ? undefined : checkTime(values.timestamp, source);
  findings.push(...(time?.findings ?? []));
  const { nonce } = values;
  if (nonce !== undefined && (settings.nonceLength > 0 || source.ready.uses.has('nonce')) && !source.ready.nonceForm.test(nonce)) {
    findings.push(
      finding('nonce-form', `${settings.headerNames.nonce} must be ${nonceText(source.ready)}; yours has ${String(nonce.length)}`),
    );
  }
  return {
    ...{ findings, signatures: signatureHeaders(headers, settings), values },
    ...(time?.clockSkewS !== undefined && { clockSkewS: time.clockSkewS }),
  };
}

const nonceText = ({ nonceForm }: PreparedSigning): string =>
  nonceForm.source.includes('{16,64}')
    ? '16 to 64 characters of A-Z a-z 0-9 + / = _ ~ -'
    : `exactly ${/\{(\d+)\}/.exec(nonceForm.source)?.[1] ?? ''} characters of A-Z a-z 0-9 + / = _ ~ -`;

interface Reading {
  readonly source: SentSource;
  readonly headers: readonly SentHeader[];
  /** Findings are appended to it. */
  readonly findings: Deviation[];
}

const placeholderOf = {
  timestamp: 'timestamp',
  clientId: 'client_id',
  nonce: 'nonce',
  identity: 'identity',
  merchantId: 'merchant_id',
} as const;

function readValue(role: keyof typeof placeholderOf, { source, headers, findings }: Reading): string | undefined {
  const { settings, ready } = source;
  const name = settings.headerNames[role];
  const isUsed = ready.uses.has(placeholderOf[role]);
  const stored = storedOf(role, source);
  const [value, second] = valuesOf(headers, name);
  if (second !== undefined) findings.push(finding('doubled-header', `you sent ${name} more than once`));
  if (value !== undefined && value !== '') {
    const isFixed = role === 'merchantId' ? isUsed : true;
    if (isFixed && stored !== undefined && value !== stored) findings.push(wrongValue(role, name, { value, stored }));
    return value;
  }
  if (!isUsed) return undefined;
  const [other] = misnamed(headers, { role, stored, names: settings.headerNames });
  if (other === undefined) {
    findings.push(finding('missing-header', `you sent no ${name}, which the template needs`));
    return undefined;
  }
  findings.push(finding('header-name', `you sent ${other.name}; its agreed name is ${name}`));
  if (stored !== undefined && other.value !== stored) findings.push(wrongValue(role, other.name, { value: other.value, stored }));
  return other.value;
}

const storedOf = (role: HeaderRole, { settings, merchantId }: SentSource): string | undefined => {
  if (role === 'clientId') return settings.apiClientId;
  if (role === 'identity') return settings.identity;
  return role === 'merchantId' ? merchantId : undefined;
};

const wrongCodes = {
  clientId: 'client-id',
  identity: 'identity',
  merchantId: 'merchant-id',
  timestamp: 'timestamp-form',
  nonce: 'nonce-form',
} as const;

const wrongValue = (role: keyof typeof wrongCodes, name: string, { value, stored }: { value: string; stored: string }): Deviation =>
  finding(wrongCodes[role], `${name} is “${value.slice(0, 80)}”; what is stored is “${stored}”`);

function checkTime(sent: string, { settings, ready, receivedAt, windowS }: SentSource): { findings: Deviation[]; clockSkewS?: number } {
  const name = settings.headerNames.timestamp;
  const agreed = settings.timestampPrecision;
  const at = readTimestamp(sent, ready);
  const unit = precisionOf(sent, receivedAt);
  if (at === undefined || (unit === undefined && Math.abs(at - receivedAt) > 10 * 31_557_600_000)) {
    return {
      findings: [
        finding('timestamp-form', `${name} must be the Unix time in ${agreed} as a plain number; yours is “${sent.slice(0, 80)}”`),
      ],
    };
  }
  const wrongUnit = unit !== undefined && unit !== agreed;
  const findings = wrongUnit
    ? [finding('timestamp-unit', `${name} is in ${unit} (${String(sent.length)} digits); ${agreed} are agreed`)]
    : [];
  const real = wrongUnit ? (readTimestamp(sent, { unitsPerSecond: unitsOf[unit] }) ?? at) : at;
  const clockSkewS = Math.round((real - receivedAt) / 1000);
  if (Math.abs(real - receivedAt) > windowS * 1000) {
    const where = clockSkewS > 0 ? 'ahead of' : 'behind';
    findings.push(
      finding('timestamp-skew', `${name} is ${String(Math.abs(clockSkewS))} s ${where} our clock; ${String(windowS)} s are allowed`),
    );
  }
  return { findings, clockSkewS };
}

/** The agreed signature header, or others that may be it. */
function signatureHeaders(headers: readonly SentHeader[], settings: SignatureSettings): SignatureHeader[] {
  const { signature: name } = settings.headerNames;
  const [value] = valuesOf(headers, name);
  if (value !== undefined && value !== '') return [{ text: value, codes: [], sentence: '', cost: 0 }];
  const others = misnamed(headers, { role: 'signature', names: settings.headerNames }).slice(0, 6);
  return others.map((other) => ({
    ...finding('header-name', `you sent the signature as ${other.name}; its agreed name is ${name}`),
    text: other.value,
  }));
}
