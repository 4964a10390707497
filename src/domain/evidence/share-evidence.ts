import type { ExplainSignature } from '../credentials/explain/explain-signature';
import type { RefusedRequestRepository } from '../credentials/explain/ports';
import type { SecretGenerator } from '../credentials/ports';
import type { Exchange } from '../exchanges/exchange';
import type { ChangeOrigin } from '../partners/partner-draft';
import { Unavailable } from '../shared/errors';
import type { Clock, IdGenerator } from '../shared/ports';
import { bundleOf, type BundleParts, type EvidenceBundle } from './bundle';
import { subjectOf, type EvidenceLink } from './evidence';
import type { EvidenceLinkRepository, EvidenceSigner } from './ports';

export interface ShareEvidenceCommand extends ChangeOrigin {
  readonly exchange: Exchange;
  /** Lifetime within `evidenceLasts`. */
  readonly expiresInS: number;
}

interface Deps {
  readonly links: EvidenceLinkRepository;
  readonly signer: EvidenceSigner;
  readonly refused: RefusedRequestRepository;
  readonly explain: ExplainSignature;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  /** Without a trailing slash. */
  readonly publicBaseUrl: string;
  /** Serializes the bundle for signing and display. */
  readonly print: (bundle: EvidenceBundle) => string;
}

/**
 * Makes a link that shows one exchange to both partners without an account: signed in its current state, until it expires or is revoked.
 */
export class ShareEvidence {
  constructor(private readonly deps: Deps) {}

  /** Resolves to the link and its token, which is shown only once. */
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
      // If the request cannot be explained in time, the rest is shared without the explanation.
      if (error instanceof Unavailable) return undefined;
      throw error;
    }
  }
}
