import type { AuditEntry, PageRequest } from '../partners/ports';
import type { EvidenceLink } from './evidence';

/** A new link. Of the token only a digest is stored; the content is stored encrypted. */
export interface NewEvidence {
  readonly link: EvidenceLink;
  readonly token: string;
  /** A compact JWS. */
  readonly signed: string;
}

/** Selects links; every given condition must hold. */
export interface EvidenceFilter {
  readonly exchangeId?: string;
  readonly clientId?: string;
  readonly appId?: string;
}

/** Stores links to evidence. Each change is committed with its audit row. */
export interface EvidenceLinkRepository {
  keep(evidence: NewEvidence, audit: AuditEntry): Promise<void>;
  /** Newest first, including revoked and expired ones as long as they are stored. */
  list(filter: EvidenceFilter, page: PageRequest): Promise<readonly EvidenceLink[]>;
  find(id: string): Promise<EvidenceLink | undefined>;
  /** Resolves to `undefined` for an unknown link. A link that is already revoked stays as it is, without an audit row. */
  revoke(id: string, at: number, audit: AuditEntry): Promise<EvidenceLink | undefined>;
  /** Counts an opening and resolves to the JWS. `undefined`: no link has this token, or it was revoked, or has expired at `at`. */
  open(token: string, at: number, audit: (opened: EvidenceLink) => AuditEntry): Promise<string | undefined>;
}

/** Signs evidence with a key of the platform whose public half is published. */
export interface EvidenceSigner {
  /** Makes a compact JWS over the text (ES256; RFC 7515); its `kid` is the thumbprint of the key. */
  sign(text: string): Promise<string>;
  /** The keys to verify it. */
  publicKeys(): Promise<readonly EvidenceKey[]>;
}

/** The public half of a key for evidence, in the members of a JSON Web Key; `kid`: its thumbprint (RFC 7638). */
export interface EvidenceKey {
  readonly kid: string;
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
}
