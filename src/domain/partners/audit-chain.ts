/** One entry of the audit trail by its id and its hash (SHA-256, hex): kept elsewhere, it holds for all entries up to it. */
export interface AuditMark {
  readonly id: string;
  readonly hash: string;
}

/**
 * How an entry breaks the chain. `changed`: its hash is not that of its fields; `out-of-chain`: it does not follow the one
 * before it, so one was removed, inserted or moved; `not-the-last`: the chain ends elsewhere than where it was last written to;
 * `not-as-kept`: the entry that was kept elsewhere is not there, or has another hash.
 */
export type AuditBreak = 'changed' | 'out-of-chain' | 'not-the-last' | 'not-as-kept';

/** What a walk along the whole audit trail found. */
export interface AuditVerdict {
  /** Entries from the first on that follow one another, each as its hash says. */
  readonly entries: number;
  /** The last of them; absent: there is none. */
  readonly last?: AuditMark;
  /** The first entry that is not; absent: the chain is whole. */
  readonly broken?: { readonly id: string; readonly how: AuditBreak };
}

/** The audit trail as a chain: each entry holds the hash of the one before it and its own. */
export interface AuditChain {
  /** The last entry that was written; `undefined`: there is none. */
  head(): Promise<AuditMark | undefined>;
  /** Walks along the chain from its first entry to its last, or to the first that breaks it. `kept`: a mark from before. */
  verify(kept?: AuditMark): Promise<AuditVerdict>;
}
