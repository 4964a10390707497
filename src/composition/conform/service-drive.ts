import type { OutboundGuard } from '../../adapters/out/partner-http/outbound-guard';
import { contractLines } from '../../conformance/contract-lines';
import { RawHttpTransport } from '../../conformance/raw-http-transport';
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
import type { Integration } from '../../domain/partners/integrations/integration';
import type { PartnerDirectory } from '../../domain/partners/ports';
import { UnknownIntegration } from '../../domain/partners/registry-errors';
import { InvalidInput } from '../../domain/shared/errors';
import { JsonObject } from '../../domain/shared/json';
import { readJsonText } from '../../domain/shared/read-json';
import { WrongUsage } from '../tasks/explain-request';
import { conformanceContext, sandboxTest } from './conformance-context';
import { requireCredentials } from './conform-partner';
import { reportOf } from './kept-report';
import { driveScenarios } from './run-conform';

interface Deps {
  readonly directory: PartnerDirectory;
  readonly guard: OutboundGuard;
  /** Whether the address belongs to a simulated partner of this service. */
  readonly isSimulated: (base: string) => boolean;
}

/** Drives a partner at its stored URLs with its stored credentials, through the service's own guard. */
export class ServiceDrive implements PartnerDrive {
  constructor(private readonly deps: Deps) {}

  scenarios(role: ConformanceRole): readonly ConformanceScenario[] {
    return scenariosOf(role).map(({ id, title, sent, expected, line }) => {
      const [section, quote] = contractLines[line];
      return { id, group: groupOf({ id }), title, sent, expected, section, quote };
    });
  }

  async prepare(request: ConformanceRequest): Promise<ReadyDrive> {
    const { role, only } = request;
    const scenarios = chosen(role, only);
    if ('unknown' in scenarios) throw wrong('only', `no group or scenario is named ${scenarios.unknown.slice(0, 64)}`);
    const integration = await this.integrationOf(request);
    const base = baseOf(role, integration);
    const context = asInput('test', () => {
      requireCredentials(role, integration);
      return conformanceContext({ role, base, settings: JsonObject.of({ test: this.testOf(request, base) }), integration });
    });
    const { guard } = this.deps;
    return {
      target: base,
      of: scenarios.length,
      run: async (report) => {
        const results: ConformanceResult[] = [];
        const so = (stopped?: string): ConformanceProgress => ({
          target: base,
          of: scenarios.length,
          results,
          ...(stopped && { stopped }),
        });
        const halted = async (): Promise<string | undefined> => ((await report(so())) ? 'it was cancelled' : undefined);
        const driven = { integration, context, guard, transport: new RawHttpTransport(guard) };
        const options = { target: base, halted, onResult: (result: Result) => void results.push(resultOf(result)) };
        return so((await driveScenarios(scenarios, driven, options)).stopped);
      },
    };
  }

  report(run: ConformanceRun, form: ReportForm): { readonly type: string; readonly text: string } {
    return reportOf(run, form);
  }

  private async integrationOf({ clientId, appId }: ConformanceRequest): Promise<Integration> {
    const { directory } = this.deps;
    const integrationRecord = await directory.integrationRecord(clientId, appId);
    const [hostApp, miniapp] = [await directory.hostApp(clientId), await directory.miniapp(appId)];
    if (!integrationRecord || !hostApp || !miniapp) throw new UnknownIntegration();
    return { id: integrationRecord.id, hostApp, miniapp, settings: integrationRecord.settings };
  }

  private testOf({ role, test }: ConformanceRequest, base: string): JsonObject {
    const given = test === undefined ? undefined : readJsonText(test);
    if (given instanceof JsonObject) return given;
    return this.deps.isSimulated(base) ? sandboxTest(role) : JsonObject.of({});
  }
}

const wrong = (path: string, rule: string): InvalidInput => new InvalidInput([{ path, rule }]);

/** Converts WrongUsage of the command line to InvalidInput of the API. */
function asInput<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof WrongUsage) throw wrong(path, error.message);
    throw error;
  }
}

/** The origin of the partner's first URL. Throws InvalidInput when it has none. */
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
