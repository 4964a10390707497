import type { CheckedPartner, Relay } from '../exchanges/exchange';
import { checkedByMiniapp, checkedBySetting } from '../partners/event-checks';
import { requireFeature } from '../partners/features';
import type { HostApp } from '../partners/host-app';
import { requireAccepted, type Integration } from '../partners/integrations/integration';
import type { Miniapp } from '../partners/miniapp';
import type { PartnerDirectory } from '../partners/ports';
import { DomainError, refusal } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { CallerLog, ProvenCall } from './caller-tally';
import type { InboundRequest } from './check';
import {
  requiresSignature,
  checksOf,
  strangersCheck,
  type CheckTools,
  type CredentialPolicy,
  type Demand,
  type NamedCheck,
} from './credential-policy';
import { dryRunAt, triedInDryRun, underDryRun } from './dry-run/dry-run-trial';
import type { SignatureRule } from './signing/signature-check';
import type { DryRunLog, DryRunVerdict, SignatureDryRun } from './dry-run/signature-dry-run';
import { prepareSigning } from './signing/signing-string';

/** The two ids that every call contains; 1 to 64 characters each. */
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

/** The partner whose credentials are checked, and the checks. */
interface Proof {
  readonly partner: Caller;
  readonly demand: Demand;
  readonly command: AdmitCallCommand;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** True when the signature was verified already. */
  readonly isSigned?: boolean;
}

interface Deps {
  readonly directory: PartnerDirectory;
  readonly tools: CheckTools;
  readonly callers: CallerLog;
  readonly dryRuns: DryRunLog;
  readonly clock: Clock;
}

/**
 * Admits an inbound call: returns the accepted integration, after these checks in the order of contract/conventions#order-of-checks: load
 * the caller, check its credentials, load the other party, integration accepted, feature enabled at all three levels.
 */
export class AdmitCall {
  /** Compiled checks by demand and partner record; records are frozen, and replaced when they change. */
  private readonly compiled = new WeakMap<Demand, WeakMap<Caller, readonly NamedCheck[]>>();

  constructor(private readonly deps: Deps) {}

  async execute(command: AdmitCallCommand): Promise<Integration> {
    const { ids, policy } = command;
    const caller = policy.hostApp ? await this.proveEvent(command, policy.hostApp) : await this.proveCaller(command);
    const hostApp = caller?.kind === 'host-app' ? caller : await this.hostApp(ids);
    const miniapp = caller?.kind === 'miniapp' ? caller : await this.miniapp(ids);
    const integrationRecord = await this.deps.directory.integrationRecord(ids.clientId, ids.appId);
    const integration = requireAccepted(hostApp, miniapp, integrationRecord);
    if (policy.feature) {
      const levels = { hostApp: hostApp.settings.features, miniapp: miniapp.settings.features, integration: integration.settings.features };
      requireFeature(policy.feature, levels);
    }
    return integration;
  }

  /**
   * Checks a host app's event with the credentials of the partners that the integration names
   * (contract/events#checks-of-a-host-apps-event); without an integration, the miniapp's.
   */
  private async proveEvent(command: AdmitCallCommand, demand: Demand): Promise<Caller | undefined> {
    const { clientId, appId } = command.ids;
    const integrationRecord = await this.deps.directory.integrationRecord(clientId, appId);
    const checkedBy = integrationRecord?.settings.hostAppEventsCheckedBy ?? 'miniapp';
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
    const isSigned = requiresSignature(proof.demand, proof.partner, proof.command.request);
    const dryRun = isSigned ? dryRunAt(proof.partner, proof.now) : undefined;
    return dryRun ? this.proveByEither(proof, dryRun) : this.pass(proof);
  }

  /** Checks with the stored settings, or with the dry run's where it may accept calls. Records the dry run's result. */
  private async proveByEither(proof: Proof, dryRun: SignatureDryRun): Promise<void> {
    const { partner, command, now } = proof;
    const { request, relay } = command;
    const other = { ...proof, partner: underDryRun(partner, dryRun) };
    const rule = ruleOf(other, await this.merchantId(other));
    const reason = await triedInDryRun({ dryRun, rule, request, now }, this.deps.tools);
    const tried = (verdict: DryRunVerdict): void => {
      const [path = ''] = request.target.split('?');
      const key = { partner: { kind: partner.kind, id: partner.id }, dryRunId: dryRun.id };
      this.deps.dryRuns.tried(key, { verdict, ...reason, requestId: relay.requestId, path, at: now });
    };
    if (dryRun.mode === 'accept' && !reason) {
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

  /** Runs the checks in order. */
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
          if (name === 'address') this.countCall(proof, 'refused');
          throw error;
        }
        relay.trace.passed(name);
      }
    } catch (error) {
      throw onBehalfOf(partner, error);
    }
    this.countCall(proof, 'admitted');
  }

  private countCall({ partner, command: { request, relay } }: Proof, outcome: ProvenCall['outcome']): void {
    this.deps.callers.called({ partner, address: request.remoteAddress, outcome, requestId: relay.requestId });
  }

  /** Returns the compiled checks: cached for the record, unless they depend on the call's merchant id. */
  private checksOf({ partner, demand }: Proof, rule: SignatureRule): readonly NamedCheck[] {
    if (rule.merchantId !== undefined) return checksOf(demand, rule, this.deps.tools);
    let known = this.compiled.get(demand);
    if (!known) this.compiled.set(demand, (known = new WeakMap<Caller, readonly NamedCheck[]>()));
    let checks = known.get(partner);
    if (!checks) known.set(partner, (checks = checksOf(demand, rule, this.deps.tools)));
    return checks;
  }

  /** Looks up the merchant id only where it is part of the signed text, because the integration is not checked yet. */
  private async merchantId({ partner, command }: Proof): Promise<string | undefined> {
    if (!signsMerchantId(partner)) return undefined;
    const { clientId, appId } = command.ids;
    return (await this.deps.directory.integrationRecord(clientId, appId))?.settings.merchantId;
  }

  /** Loads the caller. On a route that can require Basic, an unknown id gets the same answer as a wrong secret. */
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

/** Whether the call was refused for a missing proof, which other signature settings might accept. */
const isUnproven = (error: unknown): boolean =>
  error instanceof DomainError && (error.kind === 'unauthenticated' || error.code === 'ACCESS_DENIED');

/** Adds to the error that the miniapp's checks apply, because the sender of a host app's event expects its own credentials to count. */
function checkedByMiniappOnly(error: unknown): unknown {
  if (!(error instanceof DomainError) || (error.kind !== 'unauthenticated' && error.kind !== 'forbidden')) return error;
  const { kind, code, message, details } = error;
  return new DomainError(kind, code, `${message}. ${checkedByMiniapp}`, { ...details, setting: checkedBySetting });
}

/** Sets the caller as the failed side of a failed check. */
function onBehalfOf({ kind }: { kind: string }, error: unknown): unknown {
  if (!(error instanceof DomainError) || error.details.side) return error;
  return new DomainError(error.kind, error.code, error.message, { side: kind === 'host-app' ? 'hostapp' : 'miniapp', ...error.details });
}
