import type { Exchange } from '../exchanges/exchange';
import type { IntegrationKey, AuditEntry } from '../partners/ports';
import type { PartnerKind } from '../partners/registry-errors';

/** The result of a probe, without headers and body of the answer. */
export interface Found {
  readonly ms: number;
  /** The HTTP status; any status counts as an answer. Absent when none came. */
  readonly status?: number | undefined;
  /** Keyword for why there was no answer: an UnreachableCause. Probes from before 2026-11 also contain `tls` and `address`. */
  readonly problem?: string | undefined;
  /** When the certificate expires; milliseconds since the epoch. Absent for plain http. */
  readonly tlsUntil?: number | undefined;
}

/** A probe of one URL of a partner. `endpoint` is the wire name of its setting. */
export interface Probe extends Found {
  readonly partnerKind: PartnerKind;
  readonly partnerId: string;
  readonly endpoint: string;
  readonly url: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Probes a URL with a HEAD request without credentials. Never fails; reaches only addresses that calls to partners may reach. */
export interface EndpointProbeGateway {
  probe(url: string): Promise<Found>;
}

/** Stores the last probe of each URL. */
export interface ProbeRepository {
  /** Returns the probes of both partners of each pair. */
  list(pairs: readonly IntegrationKey[]): Promise<readonly Probe[]>;
  keep(probe: Probe): Promise<void>;
}

/** The time of a successful call of a pair. */
export interface GoodCall extends IntegrationKey {
  readonly call: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Proof by a payment or delivery: its id, and the time in milliseconds since the epoch. */
export interface PaymentProof {
  readonly at: number;
  readonly id: string;
}

/** The latest payments of an integration: one that was opened, one that was paid, and a completion that was delivered. */
export interface PaymentProofs {
  readonly integrationId: string;
  readonly created?: PaymentProof | undefined;
  readonly completed?: PaymentProof | undefined;
  readonly noticed?: PaymentProof | undefined;
}

/** Reads proofs of many integrations at once. */
export interface ProofReader {
  /** The record of each call, if it is still stored: same pair, call and millisecond, with a status below 400. In no particular order. */
  calls(good: readonly GoodCall[]): Promise<readonly Exchange[]>;
  /** Payments created at `since` (milliseconds since the epoch) or later; one row for each integration, in no particular order. */
  payments(integrationIds: readonly string[], since: number): Promise<readonly PaymentProofs[]>;
}

/** The record that an integration is live: by which person, and with which checklist items missing. */
export interface Live {
  readonly integrationId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly actor: string;
  readonly reason?: string | undefined;
  readonly missing: readonly string[];
}

/** Stores which integrations are live; all others are in test. Each change is committed with its audit row. */
export interface LiveIntegrationRepository {
  /** Those of these integrations that are live. */
  list(integrationIds: readonly string[]): Promise<readonly Live[]>;
  /** Replaces the earlier entry. */
  begin(live: Live, audit: AuditEntry): Promise<void>;
  /** Resolves to false where it was not live. */
  end(integrationId: string, audit: AuditEntry): Promise<boolean>;
}
