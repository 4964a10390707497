import type { PartnerDirectory } from '../../partners/ports';
import { errorFields } from '../../shared/fault';
import type { Log } from '../../shared/ports';
import type { RefusedRequest, RefusedRequestRepository } from './ports';

/** Stores a request whose signature was refused, so that its owner can have it explained. */
export class KeepRefusedRequest {
  constructor(private readonly deps: { directory: PartnerDirectory; refused: RefusedRequestRepository; log: Log }) {}

  /** Never fails: storing the request must not disturb the call itself. */
  async execute(refused: RefusedRequest): Promise<void> {
    const { directory, refused: requests, log } = this.deps;
    const { kind, id } = refused.partner;
    try {
      const partner = kind === 'host-app' ? await directory.hostApp(id) : await directory.miniapp(id);
      if (partner) requests.keep(refused, partner.settings.signature.headerNames.signature);
    } catch (error) {
      log.warn('refused-requests.lost', { count: 1, ...errorFields(error) });
    }
  }
}
