import type { RequestHandler, Router } from 'express';
import type { CallerBook } from '../../../../domain/credentials/caller-tally';
import { CredentialIntake } from '../../../../domain/credentials/given-credentials';
import type { ExplainSignature } from '../../../../domain/credentials/explain/explain-signature';
import type { RefusedRequests } from '../../../../domain/credentials/explain/ports';
import type {
  AddressBook,
  KeyImport,
  KeyMaker,
  PayloadCipher,
  SecretBox,
  SecretDigest,
  SecretSource,
  SignatureText,
  SigningProviders,
  RateLimiter,
} from '../../../../domain/credentials/ports';
import { Possession } from '../../../../domain/credentials/possession';
import type { ShadowBook } from '../../../../domain/credentials/signature-shadow';
import { PreviewSignature } from '../../../../domain/credentials/preview-signature';
import type { Partner } from '../../../../domain/partners/partner-draft';
import type { HostAppRepository, MiniappRepository, PartnerRepository } from '../../../../domain/partners/ports';
import { EndShadow, PromoteShadow } from '../../../../domain/partners/end-shadow';
import { ProvePossession } from '../../../../domain/partners/prove-possession';
import { SetShadow } from '../../../../domain/partners/set-shadow';
import type { Clock, IdSource } from '../../../../domain/shared/ports';
import { type AddressSettings, allowlistRoutes } from './allowlist-routes';
import { credentialRoutes } from './credential-routes';
import { DraftReader } from './draft-reader';
import { hostAppWire } from './host-app-wire';
import { miniappWire } from './miniapp-wire';
import type { PartnerWire } from './partner-wire';
import { payloadRoutes } from './payload-routes';
import { presetRoutes } from './preset-routes';
import { shadowRoutes } from './shadow-routes';
import { signRoutes } from './sign-routes';
import { signatureRoutes } from './signatures-routes';

/** What the routes of credentials, signatures and allowlists work with. */
export interface CredentialSideDeps extends AddressSettings {
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
  readonly callers: CallerBook;
  readonly explain: ExplainSignature;
  readonly refused: RefusedRequests;
  readonly limiter: RateLimiter;
  readonly digest: SecretDigest;
  readonly secrets: SecretSource;
  readonly keys: KeyImport;
  readonly keyMaker: KeyMaker;
  readonly addresses: AddressBook;
  readonly box: SecretBox;
  readonly providers: SigningProviders;
  readonly signatureText: SignatureText;
  readonly cipher: PayloadCipher;
  readonly publicBaseUrl: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly shadows: ShadowBook;
  readonly urlProblem: (url: string) => string | undefined;
  readonly allowHttp: boolean;
}

/** All routes of credentials: what they are worth, proofs, signatures, payloads and allowlists. Their changes are routes of the partners. */
export function credentialSide(router: Router, readBody: RequestHandler, deps: CredentialSideDeps): void {
  ofPartner(router, readBody, { wire: hostAppWire, partners: deps.hostApps, deps });
  ofPartner(router, readBody, { wire: miniappWire, partners: deps.miniapps, deps });
  const tools = { ...deps, intake: new CredentialIntake(deps) };
  signatureRoutes(router, readBody, tools);
  presetRoutes(router);
  signRoutes(router, readBody, { ...tools, preview: new PreviewSignature(deps) });
  payloadRoutes(router, readBody, deps);
}

interface OfPartner<P extends Partner> {
  readonly wire: PartnerWire<P>;
  readonly partners: PartnerRepository<P, P['settings']>;
  readonly deps: CredentialSideDeps;
}

function ofPartner<P extends Partner>(router: Router, readBody: RequestHandler, { wire, partners, deps }: OfPartner<P>): void {
  const possession = new Possession(deps);
  const intake = new CredentialIntake(deps);
  const prove = new ProvePossession({ ...deps, kind: wire.kind, partners, intake, possession, describe: wire.view });
  credentialRoutes(router, readBody, { ...deps, wire, partners, prove });
  allowlistRoutes(router, readBody, { ...deps, wire, partners });
  const registry = { ...deps, kind: wire.kind, partners, intake, describe: wire.view };
  shadowRoutes(router, readBody, {
    ...{ wire, partners, shadows: deps.shadows, drafts: new DraftReader({ ...deps, wire }) },
    ...{ set: new SetShadow(registry), promote: new PromoteShadow(registry), end: new EndShadow(registry) },
  });
}
