import type { ExplainSignature } from '../credentials/explain/explain-signature';
import type { RefusedRequests } from '../credentials/explain/ports';
import type { SecretSource } from '../credentials/ports';
import type { Exchange } from '../exchanges/exchange';
import type { ChangeOrigin } from '../partners/partner-draft';
import { Unavailable } from '../shared/errors';
import type { Clock, IdSource } from '../shared/ports';
import { bundleOf, type BundleParts, type EvidenceBundle } from './bundle';
import { subjectOf, type EvidenceLink } from './evidence';
import type { EvidenceLinks, EvidenceSigner } from './ports';

export interface ShareEvidenceCommand extends ChangeOrigin {
  readonly exchange: Exchange;
  /** As `evidenceLasts`. */
  readonly expiresInS: number;
}

interface Deps {
  readonly links: EvidenceLinks;
  readonly signer: EvidenceSigner;
  readonly refused: RefusedRequests;
  readonly explain: ExplainSignature;
  readonly secrets: SecretSource;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Without a slash at its end. */
  readonly publicBaseUrl: string;
  /** Prints the bundle as it is signed and shown. */
  readonly print: (bundle: EvidenceBundle) => string;
}

/** Makes a link by which both partners see one exchange without an account, signed as it is now, until it expires or is revoked. */
export class ShareEvidence {
  constructor(private readonly deps: Deps) {}

  /** Resolves to the link with its token, which is shown once. */
  async execute({ exchange, expiresInS, actor, requestId }: ShareEvidenceCommand): Promise<{ link: EvidenceLink; token: string }> {
    const { links, signer, secrets, clock, ids, publicBaseUrl, print } = this.deps;
    const createdAt = clock.now();
    const expiresAt = createdAt + expiresInS * 1000;
    const { id: exchangeId, clientId, appId } = exchange;
    const link: EvidenceLink = { id: ids.next(), exchangeId, clientId, appId, createdBy: actor, createdAt, expiresAt, opened: 0 };
    const about = { id: link.id, issuer: publicBaseUrl, issuedAt: createdAt, expiresAt, exchange };
    const bundle = bundleOf({ ...about, refused: await this.refusedRequest(exchangeId) });
    const [signed, token] = [await signer.sign(print(bundle)), secrets.letters(43)];
    const after = { evidence_id: link.id, exchange_id: exchangeId, expires_at: new Date(expiresAt).toISOString() };
    await links.keep(
      { link, token, signed },
      { actor, action: 'evidence.shared', subject: subjectOf(link), after, requestId, at: createdAt },
    );
    return { link, token };
  }

  private async refusedRequest(exchangeId: string): Promise<BundleParts['refused']> {
    const { refused, explain, clock } = this.deps;
    const request = await refused.find(exchangeId, clock.now());
    if (!request) return undefined;
    const { receivedAt, partner: signer } = request;
    try {
      return { request, explanation: await explain.execute({ request: request.request, receivedAt, signer, wasRefused: true }) };
    } catch (error) {
      // A request that cannot be explained in time is no reason to share nothing of it.
      if (error instanceof Unavailable) return undefined;
      throw error;
    }
  }
}
