import type { ChangeOrigin } from '../partners/partner-draft';
import type { Clock } from '../shared/ports';
import { subjectOf, type EvidenceLink } from './evidence';
import type { EvidenceLinks } from './ports';

interface Deps {
  readonly links: EvidenceLinks;
  readonly clock: Clock;
}

/** Shows what a link leads to; each opening is counted and audited. */
export class OpenEvidence {
  constructor(private readonly deps: Deps) {}

  /** The signed bundle; `undefined`: the link leads nowhere, or not any more. */
  execute({ token, requestId }: { readonly token: string; readonly requestId: string }): Promise<string | undefined> {
    const at = this.deps.clock.now();
    return this.deps.links.open(token, at, (link) => ({
      ...{ actor: `evidence:${link.id}`, action: 'evidence.opened', subject: subjectOf(link), requestId, at },
      after: { evidence_id: link.id, exchange_id: link.exchangeId, opened: link.opened },
    }));
  }
}

/** Ends a link before its time. */
export class RevokeEvidence {
  constructor(private readonly deps: Deps) {}

  execute(link: EvidenceLink, { actor, requestId }: ChangeOrigin): Promise<EvidenceLink | undefined> {
    const at = this.deps.clock.now();
    const after = { evidence_id: link.id, exchange_id: link.exchangeId };
    return this.deps.links.revoke(link.id, at, { actor, action: 'evidence.revoked', subject: subjectOf(link), after, requestId, at });
  }
}
