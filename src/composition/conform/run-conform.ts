import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { MemoryFlightBoard } from '../../adapters/out/memory/memory-flight-board';
import { createPartnerHttp } from '../../adapters/out/partner-http/create-partner-http';
import { OutboundGuard } from '../../adapters/out/partner-http/outbound-guard';
import { NodeKeyMaker } from '../../adapters/out/signing/key-maker';
import { nodeSignatureText } from '../../adapters/out/signing/signature-text';
import { signingProviders } from '../../adapters/out/signing/signing-providers';
import { IpAddressBook } from '../../adapters/out/system/addresses';
import { RandomSecretSource } from '../../adapters/out/system/secret-source';
import { SystemClock } from '../../adapters/out/system/system-clock';
import { TimeSortedIds } from '../../adapters/out/system/time-sorted-ids';
import type { Facts } from '../../conformance/facts';
import type { Role, Wire } from '../../conformance/ports';
import { RawWire } from '../../conformance/raw-wire';
import { badge } from '../../conformance/reports/badge';
import { htmlReport } from '../../conformance/reports/html-report';
import { junitReport } from '../../conformance/reports/junit-report';
import { runScenarios, type Report } from '../../conformance/run-scenarios';
import type { Result, Scenario } from '../../conformance/scenario';
import type { Credentials } from '../../domain/credentials/credential';
import { SignRequest } from '../../domain/credentials/sign-request';
import type { Integration } from '../../domain/partners/integration';
import { Secret } from '../../domain/shared/secret';
import { SharedFlights } from '../../domain/shared/share-flight';
import { withoutTrailing } from '../../domain/shared/without-ends';
import { WrongUsage } from '../explain-request';
import { conformFacts } from './conform-facts';
import { conformFile } from './conform-file';
import { conformIntegration } from './conform-partner';
import { ConformRequests } from './conform-requests';

/** What a run is given. */
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

/** The machine that runs this is its owner's: whatever it reaches may be called. */
const everywhere = { allowHttp: true, networks: ['0.0.0.0/0', '::/0'] };
const connectTimeoutMs = 3_000;

/** Drives the partner through the scenarios. Throws WrongUsage. */
export async function runConform(
  options: ConformOptions,
  scenarios: readonly Scenario[],
  tell: (result: Result, done: number) => void,
): Promise<Report> {
  const base = withoutTrailing(options.url, '/');
  const guard = new OutboundGuard({ addresses: new IpAddressBook(), rules: everywhere });
  const problem = guard.urlProblem(base);
  if (problem !== undefined) throw new WrongUsage(`--url ${problem}`);
  const settings = await conformFile(options.settings, options.set ?? []);
  const { role, timeoutMs } = options;
  const integration = conformIntegration(role, base, settings);
  const facts = conformFacts({ role, base, settings, integration, timeoutMs });
  return driveScenarios(scenarios, { integration, facts, guard, wire: new RawWire() }, { target: base, tell });
}

/** What a run drives, and by which ways. */
export interface Driven {
  readonly integration: Integration;
  readonly facts: Facts;
  readonly guard: OutboundGuard;
  readonly wire: Wire;
}

/** Drives a partner that is known. */
export async function driveScenarios(
  scenarios: readonly Scenario[],
  { integration, facts, guard, wire }: Driven,
  options: Parameters<typeof runScenarios>[2],
): Promise<Report> {
  const { role } = facts;
  const { close, ...ways } = waysToProve(guard);
  try {
    const stranger = await strangeTo(integration, role);
    const credentials = { platform: { ...ways, integration }, stranger: { ...ways, integration: stranger } };
    const ids = new TimeSortedIds(new SystemClock());
    const requests = new ConformRequests({ role, integration, credentials, ids, deadlineMs: facts.deadlineMs('exchange') });
    return await runScenarios(scenarios, { facts, requests, wire }, options);
  } finally {
    close();
  }
}

/** The production way of proving calls, with nobody to tell when a credential was used. */
function waysToProve(guard: OutboundGuard) {
  const clock = new SystemClock();
  const board = new MemoryFlightBoard({ clock, ids: new TimeSortedIds(clock) });
  const flights = new SharedFlights({ board, clock, pause: (ms) => pause(ms) });
  const [uses, refreshes] = [{ used: () => undefined }, { refreshed: () => undefined }];
  const secrets = new RandomSecretSource();
  const signRequest = new SignRequest({ providers: signingProviders, signatureText: nodeSignatureText, secrets, uses, clock });
  const deps = { guard, clock, flights, board, connectTimeoutMs, signRequest, hmac: signingProviders.HMAC, uses, refreshes };
  const http = createPartnerHttp(deps);
  return { proofs: http.credentials, close: () => http.close() };
}

/** The same integration with secrets and keys that the partner does not know. */
async function strangeTo(integration: Integration, role: Role): Promise<Integration> {
  const { hostApp, miniapp } = integration;
  const { credentials, settings } = role === 'miniapp' ? miniapp : hostApp;
  const { algorithm } = settings.signature;
  const secret = { current: { secret: new RandomSecretSource().secretKey(), fingerprint: '', createdAt: 0 } };
  const strange: Credentials = {
    ...credentials,
    ...(credentials.secret_key && { secret_key: secret }),
    // The client access token is the host app's to give: without the right secret there would be no call at all.
    ...(credentials.host_app_secret_key && !hostApp.settings.endpoints.clientAccessToken && { host_app_secret_key: secret }),
    ...(credentials.hmac_secret && { hmac_secret: secret }),
  };
  const key =
    settings.signature.enabled && (algorithm === 'RSA2' || algorithm === 'ECDSA') ? await new NodeKeyMaker().make(algorithm) : undefined;
  const pair = key && { platform_key: { current: { secret: new Secret(key.privateKey.reveal()), fingerprint: '', createdAt: 0 } } };
  const changed = { ...strange, ...pair };
  return role === 'miniapp'
    ? { ...integration, miniapp: { ...miniapp, credentials: changed } }
    : { ...integration, hostApp: { ...hostApp, credentials: changed } };
}

/** Writes the reports that are asked for. Rejects where a file cannot be written. */
export async function writeReports(report: Report, files: ConformOptions): Promise<void> {
  if (files.junit !== undefined) await writeFile(files.junit, junitReport(report));
  if (files.html !== undefined) await writeFile(files.html, htmlReport(report));
  if (files.badge !== undefined) await writeFile(files.badge, badge(report));
}
