import type { OutboundGuard } from '../../adapters/out/partner-http/outbound-guard';
import { contractLines } from '../../conformance/contract-lines';
import { RawWire } from '../../conformance/raw-wire';
import type { Result } from '../../conformance/scenario';
import { groupOf } from '../../conformance/scenario';
import { chosen, scenariosOf } from '../../conformance/scenarios/all-scenarios';
import type {
  ConformanceProgress,
  ConformanceRequest,
  ConformanceResult,
  ConformanceRole,
  ConformanceRun,
  ConformanceScenario,
  PartnerDrive,
  ReadyDrive,
  ReportForm,
} from '../../domain/conformance/ports';
import type { Integration } from '../../domain/partners/integration';
import type { PartnerDirectory } from '../../domain/partners/ports';
import { UnknownAgreement } from '../../domain/partners/registry-errors';
import { InvalidInput } from '../../domain/shared/errors';
import { JsonObject, readJsonText } from '../../domain/shared/json';
import { WrongUsage } from '../explain-request';
import { conformFacts, sandboxTest } from './conform-facts';
import { requireCredentials } from './conform-partner';
import { reportOf } from './kept-report';
import { driveScenarios } from './run-conform';

interface Deps {
  readonly directory: PartnerDirectory;
  readonly guard: OutboundGuard;
  /** Whether a simulated partner of this service stands at the address. */
  readonly isSimulated: (base: string) => boolean;
}

/** Drives a partner at its stored URLs with its stored credentials, through the service's own guard. */
export class ServiceDrive implements PartnerDrive {
  constructor(private readonly deps: Deps) {}

  scenarios(role: ConformanceRole): readonly ConformanceScenario[] {
    return scenariosOf(role).map(({ id, title, sent, expected, line }) => {
      const [place, says] = contractLines[line];
      return { id, group: groupOf({ id }), title, sent, expected, place, says };
    });
  }

  async prepare(request: ConformanceRequest): Promise<ReadyDrive> {
    const { role, only } = request;
    const scenarios = chosen(role, only);
    if ('unknown' in scenarios) throw wrong('only', `no group or scenario is named ${scenarios.unknown.slice(0, 64)}`);
    const integration = await this.integrationOf(request);
    const base = baseOf(role, integration);
    const facts = asInput('test', () => {
      requireCredentials(role, integration);
      return conformFacts({ role, base, settings: JsonObject.of({ test: this.testOf(request, base) }), integration });
    });
    const { guard } = this.deps;
    return {
      target: base,
      of: scenarios.length,
      run: async (tell) => {
        const results: ConformanceResult[] = [];
        const so = (stopped?: string): ConformanceProgress => ({
          target: base,
          of: scenarios.length,
          results,
          ...(stopped && { stopped }),
        });
        const halted = async (): Promise<string | undefined> => ((await tell(so())) ? 'it was cancelled' : undefined);
        const driven = { integration, facts, guard, wire: new RawWire(guard) };
        const options = { target: base, halted, tell: (result: Result) => void results.push(resultOf(result)) };
        return so((await driveScenarios(scenarios, driven, options)).stopped);
      },
    };
  }

  report(run: ConformanceRun, form: ReportForm): { readonly type: string; readonly text: string } {
    return reportOf(run, form);
  }

  private async integrationOf({ clientId, appId }: ConformanceRequest): Promise<Integration> {
    const { directory } = this.deps;
    const agreement = await directory.agreement(clientId, appId);
    const [hostApp, miniapp] = [await directory.hostApp(clientId), await directory.miniapp(appId)];
    if (!agreement || !hostApp || !miniapp) throw new UnknownAgreement();
    return { id: agreement.id, hostApp, miniapp, settings: agreement.settings };
  }

  private testOf({ role, test }: ConformanceRequest, base: string): JsonObject {
    const given = test === undefined ? undefined : readJsonText(test);
    if (given instanceof JsonObject) return given;
    return this.deps.isSimulated(base) ? sandboxTest(role) : JsonObject.of({});
  }
}

const wrong = (path: string, rule: string): InvalidInput => new InvalidInput([{ path, rule }]);

/** What the command line calls a wrong usage is here a wrong request. */
function asInput<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof WrongUsage) throw wrong(path, error.message);
    throw error;
  }
}

/** The origin of the first URL of the partner. Throws InvalidInput where it has none. */
function baseOf(role: ConformanceRole, { hostApp, miniapp }: Integration): string {
  const urls = Object.values((role === 'miniapp' ? miniapp : hostApp).settings.endpoints) as (string | undefined)[];
  const first = urls.find((url) => url !== undefined);
  if (first === undefined) throw wrong(role === 'miniapp' ? 'app_id' : 'client_id', 'has no URL yet: store its URLs first');
  return new URL(first).origin;
}

const resultOf = ({ scenario, verdict, came, reason, fix, ms }: Result): ConformanceResult => ({
  ...{ id: scenario.id, verdict, came, ms: Math.round(ms) },
  ...(reason !== undefined && { reason }),
  ...(fix !== undefined && { fix }),
});
