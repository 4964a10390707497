import type { RefreshOutcome } from '../figures/refreshes';
import { EndpointNotSet, PartnerGarbled, PartnerRefused } from '../partners/partner-errors';
import { catalogue } from '../shared/error-catalogue';
import type { Secret } from '../shared/secret';
import type { UserTokens } from './tokens';

/** How to come by new tokens, and who hears whether they came. */
export interface RefreshWays {
  readonly refresh: (refreshToken: Secret) => Promise<UserTokens>;
  readonly told: (outcome: RefreshOutcome) => void;
}

/**
 * New tokens for old ones; the old refresh token stays where none comes back. Without a refresh token or URL, and after a
 * refused refresh, throws with the refresh's own code, else EXPIRED_ACCESS_TOKEN, at step `refresh` (contract/authentication#retry-after-401).
 */
export async function refreshTokens({ refreshToken }: UserTokens, { refresh, told }: RefreshWays): Promise<UserTokens> {
  if (!refreshToken) throw signOnAgain();
  try {
    const renewed = await refresh(refreshToken);
    told('ok');
    return { accessToken: renewed.accessToken, refreshToken: renewed.refreshToken ?? refreshToken };
  } catch (error) {
    told('failed');
    if (error instanceof EndpointNotSet || (error instanceof PartnerGarbled && error.refusedByStatus)) throw signOnAgain();
    throw error;
  }
}

const signOnAgain = (): PartnerRefused =>
  new PartnerRefused({ side: 'hostapp', step: 'refresh' }, 'EXPIRED_ACCESS_TOKEN', catalogue.EXPIRED_ACCESS_TOKEN.meaning);
