import type { ChangeOrigin } from '../partners/partner-draft';
import type { Clock } from '../shared/ports';
import { subjectOf, type EvidenceLink } from './evidence';
import type { EvidenceLinkRepository } from './ports';

interface Deps {
  readonly links: EvidenceLinkRepository;
  readonly clock: Clock;
}

/** Opens a link; each opening is counted and audited. */
export class OpenEvidence {
  constructor(private readonly deps: Deps) {}

  /** Resolves to the signed bundle; `undefined` when the link is unknown, expired or revoked. */
  execute({ token, requestId }: { readonly token: string; readonly requestId: string }): Promise<string | undefined> {
    const at = this.deps.clock.now();
    return this.deps.links.open(token, at, (link) => ({
      ...{ actor: `evidence:${link.id}`, action: 'evidence.opened', subject: subjectOf(link), requestId, at },
      after: { evidence_id: link.id, exchange_id: link.exchangeId, opened: link.opened },
    }));
  }
}

/** Revokes a link before it expires. */
export class RevokeEvidence {
  constructor(private readonly deps: Deps) {}

  execute(link: EvidenceLink, { actor, requestId }: ChangeOrigin): Promise<EvidenceLink | undefined> {
    const at = this.deps.clock.now();
    const after = { evidence_id: link.id, exchange_id: link.exchangeId };
    return this.deps.links.revoke(link.id, at, { actor, action: 'evidence.revoked', subject: subjectOf(link), after, requestId, at });
  }
}
