import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { MemorySharedTaskStore } from '../../adapters/out/memory/sso/memory-shared-task-store';
import { createPartnerHttp } from '../../adapters/out/partner-http/create-partner-http';
import { OutboundGuard } from '../../adapters/out/partner-http/outbound-guard';
import { NodeKeyPairGenerator } from '../../adapters/out/signing/key-pair-generator';
import { nodeSignatureText } from '../../adapters/out/signing/signature-text';
import { signingProviders } from '../../adapters/out/signing/signing-providers';
import { NodeIpAddressMatcher } from '../../adapters/out/system/addresses';
import { RandomSecretGenerator } from '../../adapters/out/system/secret-generator';
import { SystemClock } from '../../adapters/out/system/system-clock';
import { TimeSortedIds } from '../../adapters/out/system/time-sorted-ids';
import type { ConformanceContext } from '../../conformance/context';
import type { Role, Transport } from '../../conformance/ports';
import { RawHttpTransport } from '../../conformance/raw-http-transport';
import { badge } from '../../conformance/reports/badge';
import { htmlReport } from '../../conformance/reports/html-report';
import { junitReport } from '../../conformance/reports/junit-report';
import { runScenarios, type Report } from '../../conformance/run-scenarios';
import type { Result, Scenario } from '../../conformance/scenario';
import type { Credentials } from '../../domain/credentials/credential';
import { SignRequest } from '../../domain/credentials/signing/sign-request';
import type { Integration } from '../../domain/partners/integrations/integration';
import { Secret } from '../../domain/shared/secret';
import { SharedTasks } from '../../domain/shared/tasks/share-task';
import { withoutTrailing } from '../../domain/shared/without-ends';
import { WrongUsage } from '../tasks/explain-request';
import { conformanceContext } from './conformance-context';
import { conformFile } from './conform-file';
import { conformIntegration } from './conform-partner';
import { ConformRequests } from './conform-requests';

/** The options of a run. */
export interface ConformOptions {
  readonly role: Role;
  readonly url: string;
  readonly settings?: string;
  readonly set?: readonly string[];
  readonly timeoutMs?: number | undefined;
  readonly junit?: string;
  readonly html?: string;
  readonly badge?: string;
}

/** On the user's own machine every address may be called. */
const everywhere = { allowHttp: true, networks: ['0.0.0.0/0', '::/0'] };
const connectTimeoutMs = 3_000;

/** Drives the partner through the scenarios. Throws WrongUsage. */
export async function runConform(
  options: ConformOptions,
  scenarios: readonly Scenario[],
  onResult: (result: Result, done: number) => void,
): Promise<Report> {
  const base = withoutTrailing(options.url, '/');
  const guard = new OutboundGuard({ addresses: new NodeIpAddressMatcher(), rules: everywhere });
  const problem = guard.urlProblem(base);
  if (problem !== undefined) throw new WrongUsage(`--url ${problem}`);
  const settings = await conformFile(options.settings, options.set ?? []);
  const { role, timeoutMs } = options;
  const integration = conformIntegration(role, base, settings);
  const context = conformanceContext({ role, base, settings, integration, timeoutMs });
  return driveScenarios(scenarios, { integration, context, guard, transport: new RawHttpTransport() }, { target: base, onResult });
}

/** The partner of a run, its context and its transport. */
export interface Driven {
  readonly integration: Integration;
  readonly context: ConformanceContext;
  readonly guard: OutboundGuard;
  readonly transport: Transport;
}

/** Runs the scenarios against the partner of an integration. */
export async function driveScenarios(
  scenarios: readonly Scenario[],
  { integration, context, guard, transport }: Driven,
  options: Parameters<typeof runScenarios>[2],
): Promise<Report> {
  const { role } = context;
  const { close, ...tools } = proofTools(guard);
  try {
    const stranger = await strangeTo(integration, role);
    const credentials = { platform: { ...tools, integration }, stranger: { ...tools, integration: stranger } };
    const ids = new TimeSortedIds(new SystemClock());
    const requests = new ConformRequests({ role, integration, credentials, ids, deadlineMs: context.deadlineMs('exchange') });
    return await runScenarios(scenarios, { context, requests, transport }, options);
  } finally {
    close();
  }
}

/** The production code for credentials, without recording credential uses. */
function proofTools(guard: OutboundGuard) {
  const clock = new SystemClock();
  const store = new MemorySharedTaskStore({ clock, ids: new TimeSortedIds(clock) });
  const sharedTasks = new SharedTasks({ store, clock, pause: (ms) => pause(ms) });
  const [uses, refreshes] = [{ used: () => undefined }, { refreshed: () => undefined }];
  const secrets = new RandomSecretGenerator();
  const signRequest = new SignRequest({ providers: signingProviders, signatureText: nodeSignatureText, secrets, uses, clock });
  const deps = { guard, clock, sharedTasks, store, connectTimeoutMs, signRequest, hmac: signingProviders.HMAC, uses, refreshes };
  const http = createPartnerHttp(deps);
  return { proofs: http.credentials, close: () => http.close() };
}

/** The same integration with secrets and keys that the partner does not know. */
async function strangeTo(integration: Integration, role: Role): Promise<Integration> {
  const { hostApp, miniapp } = integration;
  const { credentials, settings } = role === 'miniapp' ? miniapp : hostApp;
  const { algorithm } = settings.signature;
  const secret = { current: { secret: new RandomSecretGenerator().secretKey(), fingerprint: '', createdAt: 0 } };
  const strange: Credentials = {
    ...credentials,
    ...(credentials.secret_key && { secret_key: secret }),
    // The host app issues client access tokens, so without the right secret no call would be made at all.
    ...(credentials.host_app_secret_key && !hostApp.settings.endpoints.clientAccessToken && { host_app_secret_key: secret }),
    ...(credentials.hmac_secret && { hmac_secret: secret }),
  };
  const key =
    settings.signature.enabled && (algorithm === 'RSA2' || algorithm === 'ECDSA')
      ? await new NodeKeyPairGenerator().make(algorithm)
      : undefined;
  const pair = key && { platform_key: { current: { secret: new Secret(key.privateKey.reveal()), fingerprint: '', createdAt: 0 } } };
  const changed = { ...strange, ...pair };
  return role === 'miniapp'
    ? { ...integration, miniapp: { ...miniapp, credentials: changed } }
    : { ...integration, hostApp: { ...hostApp, credentials: changed } };
}

/** Writes the requested reports. Rejects when a file cannot be written. */
export async function writeReports(report: Report, files: ConformOptions): Promise<void> {
  if (files.junit !== undefined) await writeFile(files.junit, junitReport(report));
  if (files.html !== undefined) await writeFile(files.html, htmlReport(report));
  if (files.badge !== undefined) await writeFile(files.badge, badge(report));
}
