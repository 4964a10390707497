import type { EvidenceBundle } from '../../../../domain/evidence/bundle';
import type { Marks, TimelineStep, TimeSplit } from '../../../../domain/timeline/timeline';
import type { Verdict } from '../../../../domain/timeline/verdict';
import { timeText } from '../manage/partners/partner-mapper';
import { present } from '../manage/http/present';

/** The content that the evidence signature covers, in the format `pierhead-evidence/1`. */
export interface EvidenceDocument {
  readonly format: 'pierhead-evidence/1';
  readonly id: string;
  readonly issuer: string;
  readonly issued_at: string;
  readonly expires_at: string;
  readonly exchange: {
    readonly id: string;
    readonly request_id: string;
    readonly call: string;
    readonly client_id?: string;
    readonly app_id?: string;
    readonly at: string;
    readonly ms: number;
    readonly status: number;
    readonly error_code?: string;
  };
  readonly verdict: Verdict;
  readonly checks: Marks;
  readonly split_ms: TimeSplit;
  readonly steps: readonly EvidenceStep[];
  readonly curl?: string;
  readonly signature?: {
    readonly verdict: string;
    readonly sentence: string;
    readonly causes: readonly string[];
    readonly expected_string?: string;
    readonly signed_string?: string;
    readonly differs_at?: number;
  };
}

type EvidenceStep = Pick<TimelineStep, 'kind' | 'from' | 'to' | 'what' | 'attempt'> & {
  readonly at: string;
  readonly ms?: number;
  readonly status?: number;
  readonly error_code?: string;
  readonly cause?: string;
};

/** Serialises the text to sign. */
export const printEvidence = (bundle: EvidenceBundle): string => JSON.stringify(documentOf(bundle));

function documentOf({
  id,
  issuer,
  issuedAt,
  expiresAt,
  exchange,
  verdict,
  checks,
  split,
  steps,
  curl,
  signature,
}: EvidenceBundle): EvidenceDocument {
  return present({
    ...{ format: 'pierhead-evidence/1' as const, id, issuer, issued_at: timeText(issuedAt), expires_at: timeText(expiresAt) },
    exchange: present({
      ...{ id: exchange.id, request_id: exchange.requestId, call: exchange.call, client_id: exchange.clientId, app_id: exchange.appId },
      ...{ at: timeText(exchange.at), ms: exchange.ms, status: exchange.status, error_code: exchange.errorCode },
    }),
    ...{ verdict, checks, split_ms: split, steps: steps.map(stepOf), curl },
    signature:
      signature &&
      present({
        ...{ verdict: signature.verdict, sentence: signature.sentence, causes: signature.causes },
        ...{ expected_string: signature.expectedString, signed_string: signature.signedString, differs_at: signature.difference?.at },
      }),
  });
}

const stepOf = ({ kind, from, to, what, attempt, at, ms, status, errorCode, cause }: TimelineStep): EvidenceStep =>
  present({ kind, from, to, what, attempt, at: timeText(at), ms, status, error_code: errorCode, cause });
