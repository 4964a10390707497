import type { CheckedPartner, Relay } from '../exchanges/exchange';
import { checkedByMiniapp, checkedBySetting } from '../partners/event-checks';
import { requireFeature } from '../partners/features';
import type { HostApp } from '../partners/host-app';
import { requireAccepted, type Integration } from '../partners/integration';
import type { Miniapp } from '../partners/miniapp';
import type { PartnerDirectory } from '../partners/ports';
import { DomainError, refusal } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { CallerLog, ProvenCall } from './caller-tally';
import type { InboundRequest } from './check';
import {
  asksForSignature,
  checksOf,
  strangersCheck,
  type CheckTools,
  type CredentialPolicy,
  type Demand,
  type NamedCheck,
} from './credential-policy';
import { shadowAt, triedByShadow, underShadow } from './shadow-trial';
import type { SignatureRule } from './signature-check';
import type { ShadowLog, ShadowVerdict, SignatureShadow } from './signature-shadow';
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

type Caller = HostApp | Miniapp;

/** Whose credentials are checked on a call, and which of them. */
interface Proof {
  readonly partner: Caller;
  readonly demand: Demand;
  readonly command: AdmitCallCommand;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The signature has passed already. */
  readonly isSigned?: boolean;
}

interface Deps {
  readonly directory: PartnerDirectory;
  readonly tools: CheckTools;
  readonly callers: CallerLog;
  readonly shadows: ShadowLog;
  readonly clock: Clock;
}

/**
 * An inbound call in, a proven caller and an accepted integration out, in the order of contract/conventions#order-of-checks: load the caller,
 * credential checks, the other party, the integration accepted, the feature on at all three levels.
 */
export class AdmitCall {
  /** The checks of partners, by demand; records are frozen, and replaced when they change. */
  private readonly compiled = new WeakMap<Demand, WeakMap<Caller, readonly NamedCheck[]>>();

  constructor(private readonly deps: Deps) {}

  async execute(command: AdmitCallCommand): Promise<Integration> {
    const { ids, policy } = command;
    const caller = policy.hostApp ? await this.proveEvent(command, policy.hostApp) : await this.proveCaller(command);
    const hostApp = caller?.kind === 'host-app' ? caller : await this.hostApp(ids);
    const miniapp = caller?.kind === 'miniapp' ? caller : await this.miniapp(ids);
    const agreement = await this.deps.directory.agreement(ids.clientId, ids.appId);
    const integration = requireAccepted(hostApp, miniapp, agreement);
    if (policy.feature) {
      const levels = { hostApp: hostApp.settings.features, miniapp: miniapp.settings.features, integration: integration.settings.features };
      requireFeature(policy.feature, levels);
    }
    return integration;
  }

  /** A host app's event: its integration says whose checks it must pass (contract/events#checks-of-a-host-apps-event); without one, the miniapp's. */
  private async proveEvent(command: AdmitCallCommand, demand: Demand): Promise<Caller | undefined> {
    const { clientId, appId } = command.ids;
    const agreement = await this.deps.directory.agreement(clientId, appId);
    const checkedBy = agreement?.settings.hostAppEventsCheckedBy ?? 'miniapp';
    if (checkedBy === 'miniapp') {
      return this.proveCaller(command).catch((error: unknown) => {
        throw checkedByMiniappOnly(error);
      });
    }
    const hostApp = await this.hostApp(command.ids);
    await this.prove({ partner: hostApp, demand, command, now: this.deps.clock.now() });
    return checkedBy === 'both' ? this.proveCaller(command) : hostApp;
  }

  private async proveCaller(command: AdmitCallCommand): Promise<Caller | undefined> {
    const { policy, ids, request } = command;
    if (policy.caller === 'anyone') return undefined;
    const caller = await this.loadCaller(policy, ids, request);
    if (policy.waivedByPublicRevoke && caller.kind === 'host-app' && caller.settings.publicRevoke) return caller;
    await this.prove({ partner: caller, demand: policy, command, now: this.deps.clock.now() });
    return caller;
  }

  private prove(proof: Proof): Promise<void> {
    const isSigned = asksForSignature(proof.demand, proof.partner, proof.command.request);
    const shadow = isSigned ? shadowAt(proof.partner, proof.now) : undefined;
    return shadow ? this.proveEitherWay(proof, shadow) : this.pass(proof);
  }

  /** By the settings that are stored, or by the shadow's where those are accepted. Reports how a call fares under the shadow. */
  private async proveEitherWay(proof: Proof, shadow: SignatureShadow): Promise<void> {
    const { partner, command, now } = proof;
    const { request, relay } = command;
    const other = { ...proof, partner: underShadow(partner, shadow) };
    const rule = ruleOf(other, await this.merchantId(other));
    const reason = await triedByShadow({ shadow, rule, request, now }, this.deps.tools);
    const tried = (verdict: ShadowVerdict): void => {
      const [path = ''] = request.target.split('?');
      const key = { partner: { kind: partner.kind, id: partner.id }, shadowId: shadow.id };
      this.deps.shadows.tried(key, { verdict, ...reason, requestId: relay.requestId, path, at: now });
    };
    if (shadow.mode === 'accept' && !reason) {
      await this.pass({ ...other, isSigned: true });
      tried('passed');
      return;
    }
    await this.pass(proof).catch((error: unknown) => {
      if (!reason && isUnproven(error)) tried('gained');
      throw error;
    });
    tried(reason ? 'refused' : 'passed');
  }

  /** Runs the checks, in their order. */
  private async pass(proof: Proof): Promise<void> {
    const { partner, command, now, isSigned = false } = proof;
    const { relay, request } = command;
    const rule = ruleOf(proof, signsMerchantId(partner) ? await this.merchantId(proof) : undefined);
    try {
      for (const { name, check, applies } of this.checksOf(proof, rule)) {
        if (applies?.(request) === false) continue;
        try {
          const proven = isSigned && name === 'signature' ? undefined : check(request, now);
          if (proven) await proven;
        } catch (error) {
          relay.trace.refused(name, partner);
          if (name === 'address') this.heard(proof, 'refused');
          throw error;
        }
        relay.trace.passed(name);
      }
    } catch (error) {
      throw onBehalfOf(partner, error);
    }
    this.heard(proof, 'admitted');
  }

  private heard({ partner, command: { request, relay } }: Proof, outcome: ProvenCall['outcome']): void {
    this.deps.callers.called({ partner, address: request.remoteAddress, outcome, requestId: relay.requestId });
  }

  /** Compiled once for a record where nothing of the call is part of them. */
  private checksOf({ partner, demand }: Proof, rule: SignatureRule): readonly NamedCheck[] {
    if (rule.merchantId !== undefined) return checksOf(demand, rule, this.deps.tools);
    let known = this.compiled.get(demand);
    if (!known) this.compiled.set(demand, (known = new WeakMap<Caller, readonly NamedCheck[]>()));
    let checks = known.get(partner);
    if (!checks) known.set(partner, (checks = checksOf(demand, rule, this.deps.tools)));
    return checks;
  }

  /** Looked up before the integration is known to be there only where it is part of the signed text. */
  private async merchantId({ partner, command }: Proof): Promise<string | undefined> {
    if (!signsMerchantId(partner)) return undefined;
    const { clientId, appId } = command.ids;
    return (await this.deps.directory.agreement(clientId, appId))?.settings.merchantId;
  }

  /** On a route that can ask for Basic an unknown id is not told from a wrong secret. */
  private async loadCaller(policy: CredentialPolicy, ids: PairIds, request: InboundRequest): Promise<Caller> {
    const { directory } = this.deps;
    const isHostApp = policy.caller === 'host-app';
    const kind = isHostApp ? 'host-app' : 'miniapp';
    const id = isHostApp ? ids.clientId : ids.appId;
    const caller = isHostApp ? await directory.hostApp(id) : await directory.miniapp(id);
    if (caller) return caller;
    if (policy.basic !== 'never') await this.meetStranger({ kind, id }, request);
    return isHostApp ? this.hostApp(ids) : this.miniapp(ids);
  }

  private async meetStranger(stranger: CheckedPartner, request: InboundRequest): Promise<void> {
    try {
      await strangersCheck(stranger, this.deps.tools)(request, this.deps.clock.now());
    } catch (error) {
      throw onBehalfOf(stranger, error);
    }
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

const signsMerchantId = ({ settings: { signature } }: Caller): boolean =>
  signature.enabled && prepareSigning(signature).uses.has('merchant_id');

const ruleOf = ({ partner }: Proof, merchantId: string | undefined): SignatureRule => ({ partner, merchantId });

/** Refused for want of a proof: what another way of signing may give. */
const isUnproven = (error: unknown): boolean =>
  error instanceof DomainError && (error.kind === 'unauthenticated' || error.code === 'ACCESS_DENIED');

/** The sender of an event has its own credentials in mind: the error says that the miniapp's are checked. */
function checkedByMiniappOnly(error: unknown): unknown {
  if (!(error instanceof DomainError) || (error.kind !== 'unauthenticated' && error.kind !== 'forbidden')) return error;
  const { kind, code, message, details } = error;
  return new DomainError(kind, code, `${message}. ${checkedByMiniapp}`, { ...details, setting: checkedBySetting });
}

/** A failed check is the caller's doing: the refusal says whose. */
function onBehalfOf({ kind }: { kind: string }, error: unknown): unknown {
  if (!(error instanceof DomainError) || error.details.side) return error;
  return new DomainError(error.kind, error.code, error.message, { side: kind === 'host-app' ? 'hostapp' : 'miniapp', ...error.details });
}
