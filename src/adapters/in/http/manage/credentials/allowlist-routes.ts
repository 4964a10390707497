import type { Request, Response } from 'express';
import { entryReports, tryAllowlist } from '../../../../../domain/credentials/allowlist-report';
import type { CallerReader, CallerCount } from '../../../../../domain/credentials/caller-tally';
import type { IpAddressMatcher } from '../../../../../domain/credentials/ports';
import type { Partner } from '../../../../../domain/partners/partner-draft';
import type { PartnerRepository } from '../../../../../domain/partners/ports';
import { UnknownPartner } from '../../../../../domain/partners/registry-errors';
import { isWide } from '../../../../../domain/partners/setting-warnings';
import { InvalidInput } from '../../../../../domain/shared/errors';
import type { Clock } from '../../../../../domain/shared/ports';
import { viewerOf } from '../http/access';
import { AddressTrialDto } from './address-trial.dto';
import { readInput } from '../http/json-body';
import type { PlainObject } from '../http/merge-patch';
import { type PartnerMapper, timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { type Mount, serve } from '../http/serve';
import { kinds, ownPartnerId } from '../partners/partner-kinds';
import { allowlistCalls } from './credential-calls';

/** How a caller's address is determined, and the addresses of trusted proxies and of the platform. */
export interface AddressSettings {
  readonly addressOf: (req: Request) => string;
  readonly trustedProxies: readonly string[];
  readonly platformAddresses: readonly string[];
}

export interface AllowlistRoutesDeps<P extends Partner> extends AddressSettings {
  readonly mapper: PartnerMapper<P>;
  readonly partners: PartnerRepository<P, P['settings']>;
  readonly callers: CallerReader;
  readonly addresses: IpAddressMatcher;
  readonly clock: Clock;
}

const dayMs = 86_400_000;
const countedForMs = 30 * dayMs;

/** Serves the entries of an allowlist with their hits, refused addresses, and the effect of another list. */
export const allowlistRoutes = <P extends Partner>(mount: Mount, deps: AllowlistRoutesDeps<P>): void => {
  serve(mount, allowlistCalls(kinds[deps.mapper.kind]), new AllowlistController(deps));
};

class AllowlistController<P extends Partner> {
  constructor(private readonly deps: AllowlistRoutesDeps<P>) {}

  readonly show = async (req: Request, res: Response): Promise<void> => {
    const { callers, addresses, clock, addressOf, platformAddresses, trustedProxies } = this.deps;
    const partner = await this.own(req);
    const { enabled, addresses: entries, labels = {} } = partner.settings.ipWhitelist;
    const since = clock.now() - countedForMs;
    const counts = await callers.addresses(partner, since);
    const lately = await callers.addresses(partner, clock.now() - dayMs);
    res.json({
      enabled,
      entries: entryReports(entries, counts, addresses).map(({ entry, hits, lastAt }) =>
        present({ entry, label: labels[entry], wide: isWide(entry), hits, last_at: timeText(lastAt) }),
      ),
      refused: lately.filter(({ refused }) => refused > 0).map((count) => ({ ...callerView(count), count: count.refused })),
      callers: counts.slice(0, 200).map(callerView),
      counted_since: timeText(since),
      your_address: addressOf(req),
      platform_addresses: platformAddresses,
      ...(viewerOf(req).role === 'operator' && { trusted_proxies: trustedProxies }),
    });
  };

  readonly trial = async (req: Request, res: Response): Promise<void> => {
    const { callers, addresses: matcher, clock, platformAddresses } = this.deps;
    const partner = await this.own(req);
    const { addresses } = await readInput(req, AddressTrialDto);
    const problems = addresses.flatMap((entry, i) => {
      const rule = matcher.problem(entry);
      return rule === undefined ? [] : [{ path: `addresses[${String(i)}]`, rule }];
    });
    if (problems.length > 0) throw new InvalidInput(problems);
    const since = clock.now() - countedForMs;
    const trial = tryAllowlist([addresses, platformAddresses], await callers.addresses(partner, since), matcher);
    res.json({ since: timeText(since), calls: trial.calls, refused: trial.refused, callers: trial.callers.map(callerView) });
  };

  private async own(req: Request): Promise<P> {
    const { kind } = this.deps.mapper;
    const partner = await this.deps.partners.find(ownPartnerId(req, kind));
    if (!partner) throw new UnknownPartner(kind);
    return partner;
  }
}

const callerView = ({ address, admitted, refused, lastAt, lastRequestId }: CallerCount): PlainObject => ({
  address,
  admitted,
  refused,
  last_at: timeText(lastAt),
  last_request_id: lastRequestId,
});
