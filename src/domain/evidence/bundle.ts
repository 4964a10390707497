import type { Explanation } from '../credentials/explain/explanation';
import type { RefusedRequest } from '../credentials/explain/ports';
import type { Exchange } from '../exchanges/exchange';
import { curlOf } from '../timeline/curl';
import { marksOf, splitOf, stepsOfCall, type Marks, type TimelineStep, type TimeSplit } from '../timeline/timeline';
import { verdictOfCall, type Verdict } from '../timeline/verdict';
import { sentenceWithout, shapeOf } from './redact';

/** The explanation of a refused signature: the shape of the two signed texts, without the sender's values. */
export interface SignatureEvidence {
  readonly verdict: Explanation['verdict'];
  readonly sentence: string;
  readonly causes: readonly string[];
  readonly expectedString?: string | undefined;
  readonly signedString?: string | undefined;
  readonly difference?: Explanation['difference'];
}

/** One exchange as shown to both partners: no secret, no reference, no body. Times are milliseconds since the epoch. */
export interface EvidenceBundle {
  readonly id: string;
  readonly issuer: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly exchange: Omit<Exchange, 'reference' | 'legs' | 'checks' | 'refused'>;
  readonly checks: Marks;
  readonly split: TimeSplit;
  readonly verdict: Verdict;
  readonly steps: readonly TimelineStep[];
  readonly curl?: string | undefined;
  readonly signature?: SignatureEvidence | undefined;
}

export interface BundleParts extends Pick<EvidenceBundle, 'id' | 'issuer' | 'issuedAt' | 'expiresAt'> {
  readonly exchange: Exchange;
  /** Set where the exchange's signature was refused and the request is still stored. */
  readonly refused?: { readonly request: RefusedRequest; readonly explanation: Explanation } | undefined;
}

export function bundleOf({ exchange, refused, ...about }: BundleParts): EvidenceBundle {
  const { reference: _reference, legs: _legs, checks: _checks, refused: _refused, ...shown } = exchange;
  return {
    ...about,
    exchange: shown,
    checks: marksOf(exchange),
    split: splitOf(exchange),
    verdict: verdictOfCall(exchange),
    steps: stepsOfCall(exchange),
    curl: curlOf(exchange, about.issuer),
    signature: refused && signatureOf(refused, [about.issuer, exchange.clientId ?? '', exchange.appId ?? '']),
  };
}

function signatureOf(
  { request: { request }, explanation }: NonNullable<BundleParts['refused']>,
  ids: readonly string[],
): SignatureEvidence {
  const path = request.target.split('?')[0] ?? '';
  const timestamps = request.rawHeaders.filter((_, i) => i % 2 === 1 && /timestamp/i.test(request.rawHeaders[i - 1] ?? ''));
  const known = [...ids, request.method, request.method.toLowerCase(), path, path.replace(/\/$/, ''), ...timestamps.filter(isNumber)];
  const shape = (text: string): string => shapeOf(text, known);
  const { verdict, sentence, causes, expectedString, signedString, difference } = explanation;
  return {
    verdict,
    sentence: sentenceWithout(sentence, known),
    causes: causes.flatMap(({ codes }) => codes),
    expectedString: expectedString === undefined ? undefined : shape(expectedString),
    signedString: signedString === undefined ? undefined : shape(signedString),
    difference: difference && {
      at: difference.at,
      expected: { ...difference.expected, text: shape(difference.expected.text) },
      signed: { ...difference.signed, text: shape(difference.signed.text) },
    },
  };
}

/** Only a timestamp may be shown; any other header value is unknown text. */
const isNumber = (text: string): boolean => /^\d{1,20}$/.test(text);
