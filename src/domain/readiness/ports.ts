import type { Exchange } from '../exchanges/exchange';
import type { AgreementKey, AuditEntry } from '../partners/ports';
import type { PartnerKind } from '../partners/registry-errors';

/** The result of a probe. No header and no body of the answer. */
export interface Found {
  readonly ms: number;
  /** Any status counts as an answer. */
  readonly status?: number | undefined;
  /** Why there was no answer, in one word: an UnreachableCause. Probes from before 2026-11 also hold `tls` and `address`. */
  readonly problem?: string | undefined;
  /** Until when the certificate holds; milliseconds since the epoch; absent with plain http. */
  readonly tlsUntil?: number | undefined;
}

/** A look at one URL of a partner. `endpoint` is the name of its setting, as on the wire. */
export interface Probe extends Found {
  readonly partnerKind: PartnerKind;
  readonly partnerId: string;
  readonly endpoint: string;
  readonly url: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Looks at a URL: asks for its head, with nothing that proves who asks. Never fails; goes where calls to partners may go, no further. */
export interface EndpointProbe {
  probe(url: string): Promise<Found>;
}

/** The last look at each URL. */
export interface ProbeBook {
  /** Of both partners of each pair. */
  list(pairs: readonly AgreementKey[]): Promise<readonly Probe[]>;
  keep(probe: Probe): Promise<void>;
}

/** When a call of a pair went well. */
export interface GoodCall extends AgreementKey {
  readonly call: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What shows that something happened: when, in milliseconds since the epoch, and with which payment or delivery. */
export interface PaymentProof {
  readonly at: number;
  readonly id: string;
}

/** The last payments of an integration: one that was opened, one that was paid, and a completion that was delivered. */
export interface PaymentProofs {
  readonly integrationId: string;
  readonly created?: PaymentProof | undefined;
  readonly completed?: PaymentProof | undefined;
  readonly noticed?: PaymentProof | undefined;
}

/** Proofs of many integrations at once. */
export interface ProofBook {
  /** The record of each, where it is kept still: of its pair and call, of its millisecond, below status 400. In no particular order. */
  calls(good: readonly GoodCall[]): Promise<readonly Exchange[]>;
  /** Of payments created at `since` (milliseconds since the epoch) or later; one row for each integration, in no particular order. */
  payments(integrationIds: readonly string[], since: number): Promise<readonly PaymentProofs[]>;
}

/** Who said that an integration is live, and the items that its checklist missed then. */
export interface Live {
  readonly integrationId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly actor: string;
  readonly reason?: string | undefined;
  readonly missing: readonly string[];
}

/** Which integrations are live; all others are in test. Each change leaves its audit row. */
export interface LiveBook {
  /** Of these integrations, those that are live. */
  list(integrationIds: readonly string[]): Promise<readonly Live[]>;
  /** Replaces the earlier entry. */
  begin(live: Live, audit: AuditEntry): Promise<void>;
  /** False: it was not live. */
  end(integrationId: string, audit: AuditEntry): Promise<boolean>;
}
