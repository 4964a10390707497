/** The id and hash (SHA-256, hex) of an audit entry. Kept outside the service, it proves all entries up to this one. */
export interface AuditMark {
  readonly id: string;
  readonly hash: string;
}

/**
 * How an entry breaks the chain. `changed`: its hash does not match its fields; `out-of-chain`: it does not follow the entry before it, so
 * an entry was removed, inserted or moved; `not-the-last`: the chain does not end with the last entry written; `not-as-kept`: the entry of
 * an externally kept mark is missing or has another hash.
 */
export type AuditBreak = 'changed' | 'out-of-chain' | 'not-the-last' | 'not-as-kept';

/** The result of verifying the whole audit trail. */
export interface AuditVerdict {
  /** Number of valid entries in sequence, from the first on. */
  readonly entries: number;
  /** The last valid entry. Absent when there is none. */
  readonly last?: AuditMark;
  /** The first invalid entry. Absent when the chain is intact. */
  readonly broken?: { readonly id: string; readonly how: AuditBreak };
}

/** The audit trail as a hash chain: each entry stores its own hash and that of the entry before it. */
export interface AuditChainReader {
  /** The last entry written; `undefined` when there is none. */
  head(): Promise<AuditMark | undefined>;
  /** Verifies the chain from the first entry to the last, or to the first break. `kept` is a mark that was stored earlier. */
  verify(kept?: AuditMark): Promise<AuditVerdict>;
}
