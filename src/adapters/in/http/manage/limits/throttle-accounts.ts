import type { RequestHandler, Response } from 'express';
import type { Viewer } from '../../../../../domain/accounts/viewer';
import { knownSession, viewerIfKnown } from '../http/access';
import { ManageProblem } from '../http/problem';
import { noteWork } from './call-work';
import type { EndCall, PartnerThrottle } from './partner-throttle';
import type { RefusedSessions } from './refused-sessions';

/**
 * Delays a call of a partner's account until the partner's share of the process allows it. The event stream is exempt because it does not
 * end; the operator is exempt, also while viewing as a partner.
 */
export function throttleAccounts(refused: Pick<RefusedSessions, 'add'>, throttle: PartnerThrottle): RequestHandler {
  return async (req, res, next) => {
    const partner = partnerOf(viewerIfKnown(res));
    if (partner === undefined || /^\/live\/?$/.test(req.path)) {
      next();
      return;
    }
    const end = await entered(partner, res);
    if (!end) return;
    noteWork(res, end);
    next();
  };

  async function entered(partner: string, res: Response): Promise<EndCall | undefined> {
    try {
      return await throttle.enter(partner, () => hasLeft(res));
    } catch (error) {
      const digest = knownSession(res)?.known.digest;
      if (error instanceof ManageProblem && digest !== undefined) refused.add(digest, partner);
      throw error;
    }
  }
}

/** The caller disconnected, or the response ended, while the call waited. */
const hasLeft = (res: Response): boolean => res.destroyed || res.writableEnded;

function partnerOf(viewer: Viewer | undefined): string | undefined {
  if (!viewer || viewer.role === 'operator' || viewer.isReadOnly === true) return undefined;
  return viewer.role === 'host-app' ? `host-app:${viewer.clientId}` : `miniapp:${viewer.appId}`;
}
