import { type Mount, serve } from '../http/serve';
import type { CredentialIntake } from '../../../../../domain/credentials/given-credentials';
import type { CallerReader } from '../../../../../domain/credentials/caller-tally';
import type { ExplainSignature } from '../../../../../domain/credentials/explain/explain-signature';
import type { RefusedRequestRepository } from '../../../../../domain/credentials/explain/ports';
import type { IpAddressMatcher, PublicKeyReader, PayloadCipher, RateLimiter } from '../../../../../domain/credentials/ports';
import type { DryRunReader } from '../../../../../domain/credentials/dry-run/signature-dry-run';
import type { PreviewSignature } from '../../../../../domain/credentials/signing/preview-signature';
import type { HostApp } from '../../../../../domain/partners/host-app';
import type { Miniapp } from '../../../../../domain/partners/miniapp';
import type { Partner } from '../../../../../domain/partners/partner-draft';
import type { HostAppRepository, MiniappRepository, PartnerRepository } from '../../../../../domain/partners/ports';
import type { Clock } from '../../../../../domain/shared/ports';
import { type AddressSettings, allowlistRoutes } from './allowlist-routes';
import { credentialRoutes } from './credential-routes';
import { DraftReader } from '../partners/draft-reader';
import { hostAppMapper } from '../partners/host-app-mapper';
import { miniappMapper } from '../partners/miniapp-mapper';
import type { PartnerMapper } from '../partners/partner-mapper';
import type { PartnerUseCases } from '../partners/partner-use-cases';
import { openingPayloads } from './payload-routes';
import { dryRunRoutes } from './dry-run-routes';
import { signing } from './sign-routes';
import { signatureCalls } from './signature-calls';
import { presetViews } from './signature-mapper';
import { explaining } from './signatures-routes';

/** Dependencies of the routes of credentials, signatures and allowlists. */
export interface CredentialSideDeps extends AddressSettings {
  readonly hostAppUseCases: PartnerUseCases<HostApp>;
  readonly miniappUseCases: PartnerUseCases<Miniapp>;
  readonly explain: ExplainSignature;
  readonly previewSignature: PreviewSignature;
  readonly intake: CredentialIntake;
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
  readonly callers: CallerReader;
  readonly refused: RefusedRequestRepository;
  readonly limiter: RateLimiter;
  readonly keys: PublicKeyReader;
  readonly addresses: IpAddressMatcher;
  readonly cipher: PayloadCipher;
  readonly clock: Clock;
  readonly dryRuns: DryRunReader;
  readonly urlProblem: (url: string) => string | undefined;
  readonly allowHttp: boolean;
}

/**
 * All routes about credentials: overviews, proofs of possession, signatures, payloads and allowlists. Changes of credentials are in the
 * routes of the partners.
 */
export function credentialSide(mount: Mount, deps: CredentialSideDeps): void {
  ofPartner(mount, { ...deps, mapper: hostAppMapper, partners: deps.hostApps, useCases: deps.hostAppUseCases });
  ofPartner(mount, { ...deps, mapper: miniappMapper, partners: deps.miniapps, useCases: deps.miniappUseCases });
  serve(mount, signatureCalls, {
    explain: explaining(deps),
    sign: signing({ ...deps, preview: deps.previewSignature }),
    presets: (_req, res) => {
      res.json({ data: presetViews, next_cursor: null });
    },
    open: openingPayloads(deps),
  });
}

interface OfPartner<P extends Partner> extends CredentialSideDeps {
  readonly mapper: PartnerMapper<P>;
  readonly partners: PartnerRepository<P, P['settings']>;
  readonly useCases: PartnerUseCases<P>;
}

function ofPartner<P extends Partner>(mount: Mount, deps: OfPartner<P>): void {
  credentialRoutes(mount, deps);
  allowlistRoutes(mount, deps);
  dryRunRoutes(mount, { ...deps, drafts: new DraftReader(deps) });
}
