import type { RefreshOutcome } from '../figures/refreshes';
import { EndpointNotSet, PartnerGarbled, PartnerRefused } from '../partners/partner-errors';
import { catalogue } from '../shared/error-catalogue';
import type { Secret } from '../shared/secret';
import type { UserTokens } from './tokens';

/** The refresh call, and a callback for its outcome. */
export interface RefreshOptions {
  readonly refresh: (refreshToken: Secret) => Promise<UserTokens>;
  readonly onOutcome: (outcome: RefreshOutcome) => void;
}

/**
 * Refreshes tokens; the old refresh token stays where the answer has none. Without a refresh token or URL, and after a refused refresh,
 * throws with the refresh's own code, else EXPIRED_ACCESS_TOKEN, at step `refresh` (contract/authentication#retry-after-401).
 */
export async function refreshTokens({ refreshToken }: UserTokens, { refresh, onOutcome }: RefreshOptions): Promise<UserTokens> {
  if (!refreshToken) throw signOnAgain();
  try {
    const renewed = await refresh(refreshToken);
    onOutcome('ok');
    return { accessToken: renewed.accessToken, refreshToken: renewed.refreshToken ?? refreshToken };
  } catch (error) {
    onOutcome('failed');
    if (error instanceof EndpointNotSet || (error instanceof PartnerGarbled && error.refusedByStatus)) throw signOnAgain();
    throw error;
  }
}

const signOnAgain = (): PartnerRefused =>
  new PartnerRefused({ side: 'hostapp', step: 'refresh' }, 'EXPIRED_ACCESS_TOKEN', catalogue.EXPIRED_ACCESS_TOKEN.meaning);
