import type { Relay } from '../exchanges/exchange';
import { requireFeature } from '../partners/features';
import type { HostApp } from '../partners/host-app';
import { requireAccepted, type Integration } from '../partners/integration';
import type { Miniapp } from '../partners/miniapp';
import type { PartnerDirectory } from '../partners/ports';
import { DomainError, refusal } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { InboundRequest } from './check';
import { checksOf, strangersCheck, type CheckTools, type CredentialPolicy, type Demand } from './credential-policy';
import { senderHeaderNames } from './sender-headers';
import type { SignatureHeaderNames } from './signature-settings';
import { prepareSigning } from './signing-string';

/** The two ids that every call names; 1 to 64 characters each. */
export interface PairIds {
  readonly clientId: string;
  readonly appId: string;
}

export interface AdmitCallCommand {
  readonly relay: Relay;
  readonly policy: CredentialPolicy;
  readonly ids: PairIds;
  readonly request: InboundRequest;
}

/**
 * An inbound call in, a proven caller and an accepted integration out, in the order of decisions §1: load the caller,
 * credential checks, the other party, the integration accepted, the sender's checks where it asks for them, the feature on
 * at all three levels.
 */
export class AdmitCall {
  constructor(private readonly deps: { directory: PartnerDirectory; tools: CheckTools; clock: Clock }) {}

  async execute(command: AdmitCallCommand): Promise<Integration> {
    const { ids, policy } = command;
    const caller = await this.proveCaller(command);
    const hostApp = caller?.kind === 'host-app' ? caller : await this.hostApp(ids);
    const miniapp = caller?.kind === 'miniapp' ? caller : await this.miniapp(ids);
    const agreement = await this.deps.directory.agreement(ids.clientId, ids.appId);
    const integration = requireAccepted(hostApp, miniapp, agreement);
    if (policy.sender && integration.settings.checkSenderCredentials) {
      await this.prove(hostApp, policy.sender, command, senderHeaderNames(hostApp, miniapp));
    }
    if (policy.feature) {
      const levels = { hostApp: hostApp.settings.features, miniapp: miniapp.settings.features, integration: integration.settings.features };
      requireFeature(policy.feature, levels);
    }
    return integration;
  }

  private async proveCaller(command: AdmitCallCommand): Promise<HostApp | Miniapp | undefined> {
    const { policy, ids, request } = command;
    if (policy.caller === 'anyone') return undefined;
    const caller = await this.loadCaller(policy, ids, request);
    if (policy.waivedByPublicRevoke && caller.kind === 'host-app' && caller.settings.publicRevoke) return caller;
    await this.prove(caller, policy, command);
    return caller;
  }

  private async prove(
    partner: HostApp | Miniapp,
    demand: Demand,
    { ids, relay, request }: AdmitCallCommand,
    headerNames: SignatureHeaderNames = partner.settings.signature.headerNames,
  ): Promise<void> {
    const rule = { partner, headerNames, merchantId: await this.merchantId(partner, ids) };
    const checks = await onBehalfOf(partner, async () => checksOf(demand, rule, this.deps.tools, this.deps.clock.now()));
    for (const { name, check } of checks) {
      await onBehalfOf(partner, () => check(request)).catch((error: unknown) => {
        relay.trace.refused(name, partner);
        throw error;
      });
      relay.trace.passed(name);
    }
  }

  /** Looked up before the integration is known to be there only where it is part of what is signed. */
  private async merchantId({ settings: { signature } }: HostApp | Miniapp, { clientId, appId }: PairIds): Promise<string | undefined> {
    if (!signature.enabled || !prepareSigning(signature).uses.has('merchant_id')) return undefined;
    return (await this.deps.directory.agreement(clientId, appId))?.settings.merchantId;
  }

  /** On a route that can ask for Basic an unknown id is not told from a wrong secret. */
  private async loadCaller(policy: CredentialPolicy, ids: PairIds, request: InboundRequest): Promise<HostApp | Miniapp> {
    const { directory, tools } = this.deps;
    const isHostApp = policy.caller === 'host-app';
    const id = isHostApp ? ids.clientId : ids.appId;
    const caller = isHostApp ? await directory.hostApp(id) : await directory.miniapp(id);
    if (caller) return caller;
    if (policy.basic !== 'never') await onBehalfOf({ kind: policy.caller }, () => strangersCheck(id, tools)(request));
    return isHostApp ? this.hostApp(ids) : this.miniapp(ids);
  }

  private async hostApp({ clientId }: PairIds): Promise<HostApp> {
    const found = await this.deps.directory.hostApp(clientId);
    if (!found) throw refusal('invalid', 'HOSTAPP_NOT_FOUND', { side: 'hostapp' });
    return found;
  }

  private async miniapp({ appId }: PairIds): Promise<Miniapp> {
    const found = await this.deps.directory.miniapp(appId);
    if (!found) throw refusal('invalid', 'MINIAPP_NOT_FOUND', { side: 'miniapp' });
    return found;
  }
}

/** A failed check is the caller's doing: the refusal says whose. */
async function onBehalfOf<T>({ kind }: { kind: string }, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof DomainError) || error.details.side) throw error;
    throw new DomainError(error.kind, error.code, error.message, { side: kind === 'host-app' ? 'hostapp' : 'miniapp', ...error.details });
  }
}
