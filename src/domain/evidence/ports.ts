import type { AuditEntry, PageRequest } from '../partners/ports';
import type { EvidenceLink } from './evidence';

/** A new link. Of the token only a digest is kept; what it shows is kept sealed. */
export interface NewEvidence {
  readonly link: EvidenceLink;
  readonly token: string;
  /** A compact JWS. */
  readonly signed: string;
}

/** Which links: all that are named must hold. */
export interface EvidenceFilter {
  readonly exchangeId?: string;
  readonly clientId?: string;
  readonly appId?: string;
}

/** Links to evidence. Each change is committed with its audit row. */
export interface EvidenceLinks {
  keep(evidence: NewEvidence, audit: AuditEntry): Promise<void>;
  /** Newest first, revoked and expired ones too as long as they are kept. */
  list(filter: EvidenceFilter, page: PageRequest): Promise<readonly EvidenceLink[]>;
  find(id: string): Promise<EvidenceLink | undefined>;
  /** `undefined`: there is no such link. One that was revoked before is left as it is, without an audit row. */
  revoke(id: string, at: number, audit: AuditEntry): Promise<EvidenceLink | undefined>;
  /** Counts one opening and resolves to the JWS. `undefined`: no link has this token, or it was revoked, or has expired at `at`. */
  open(token: string, at: number, audit: (opened: EvidenceLink) => AuditEntry): Promise<string | undefined>;
}

/** Signs evidence, with a key of the platform's own whose public half is published. */
export interface EvidenceSigner {
  /** A compact JWS over the text (ES256; RFC 7515), its `kid` the thumbprint of the key. */
  sign(text: string): Promise<string>;
  /** With which it is checked. */
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
