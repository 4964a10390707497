import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { BodyReader } from '../../../src/adapters/in/http/admission/body-reader';
import { readBytes } from '../../../src/adapters/in/http/reading/body';
import { EventStreamHub } from '../../../src/adapters/in/http/manage/operations/event-stream-hub';
import { type ManageDeps, manageRouter } from '../../../src/adapters/in/http/manage/manage-router';
import { MemoryEvidenceLinkRepository } from '../../../src/adapters/out/memory/evidence/memory-evidence-link-repository';
import { MemoryRateLimiter } from '../../../src/adapters/out/memory/credentials/memory-rate-limiter';
import { MemoryRefusedRequestRepository } from '../../../src/adapters/out/memory/credentials/memory-refused-request-repository';
import { PostgresIntegrationRepository } from '../../../src/adapters/out/postgres/integrations/postgres-integration-repository';
import { PostgresPartnerRepository } from '../../../src/adapters/out/postgres/partners/postgres-partner-repository';
import { PostgresSessionRepository } from '../../../src/adapters/out/postgres/accounts/postgres-session-repository';
import { PostgresChangeReader } from '../../../src/adapters/out/postgres/changes/postgres-change-reader';
import { MemoryRefreshRepository } from '../../../src/adapters/out/memory/figures/memory-refresh-repository';
import { MemoryDryRunRepository } from '../../../src/adapters/out/memory/credentials/memory-dry-run-repository';
import { PostgresCallerRepository } from '../../../src/adapters/out/postgres/credentials/postgres-caller-repository';
import { AesPayloadCipher } from '../../../src/adapters/out/signing/payload-cipher';
import { signingProviders } from '../../../src/adapters/out/signing/signing-providers';
import { PostgresAuditChainReader } from '../../../src/adapters/out/postgres/audit/postgres-audit-chain-reader';
import { PostgresAuditReader } from '../../../src/adapters/out/postgres/audit/postgres-audit-reader';
import { PostgresDeliveryRepository } from '../../../src/adapters/out/postgres/deliveries/postgres-delivery-repository';
import { PostgresDeliveryPayloadReader } from '../../../src/adapters/out/postgres/deliveries/postgres-delivery-payload-reader';
import { PostgresEndpointQueueRepository } from '../../../src/adapters/out/postgres/deliveries/postgres-endpoint-queue-repository';
import { PostgresResendRepository } from '../../../src/adapters/out/postgres/deliveries/postgres-resend-repository';
import { PostgresExchangeReader } from '../../../src/adapters/out/postgres/exchanges/postgres-exchange-reader';
import { PostgresEndingCredentialReader } from '../../../src/adapters/out/postgres/credentials/postgres-ending-credential-reader';
import { PostgresLiveIntegrationRepository } from '../../../src/adapters/out/postgres/readiness/postgres-live-integration-repository';
import { PostgresMutedProblemRepository } from '../../../src/adapters/out/postgres/problems/postgres-muted-problem-repository';
import { PostgresProbeRepository } from '../../../src/adapters/out/postgres/readiness/postgres-probe-repository';
import { PostgresProofReader } from '../../../src/adapters/out/postgres/readiness/postgres-proof-reader';
import { PostgresFigureReader } from '../../../src/adapters/out/postgres/figures/postgres-figure-reader';
import { PostgresPaymentRecordRepository } from '../../../src/adapters/out/postgres/payments/postgres-payment-record-repository';
import { PostgresDeliveryFigureReader } from '../../../src/adapters/out/postgres/deliveries/postgres-delivery-figure-reader';
import { PostgresPaymentFigureReader } from '../../../src/adapters/out/postgres/payments/postgres-payment-figure-reader';
import { PostgresUserRecordRepository } from '../../../src/adapters/out/postgres/sso/postgres-user-record-repository';
import { PostgresUserErasureRepository } from '../../../src/adapters/out/postgres/sso/postgres-user-erasure-repository';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import { PostgresTransactionReader } from '../../../src/adapters/out/postgres/analytics/postgres-transaction-reader';
import { hostAppTable, miniappTable } from '../../../src/adapters/out/postgres/partners/partner-table';
import { newEvidenceKey, NodeEvidenceSigner } from '../../../src/adapters/out/signing/evidence-signer';
import { NodePublicKeyReader } from '../../../src/adapters/out/signing/public-key-reader';
import { NodeKeyPairGenerator } from '../../../src/adapters/out/signing/key-pair-generator';
import { inProcess } from '../signatures/in-process-explainer';
import { nodeSignatureText } from '../../../src/adapters/out/signing/signature-text';
import { NodeSecretDigestProvider } from '../../../src/adapters/out/signing/secret-digest-provider';
import { NodeIpAddressMatcher } from '../../../src/adapters/out/system/addresses';
import { RandomSecretGenerator } from '../../../src/adapters/out/system/secret-generator';
import { ExplainSignature } from '../../../src/domain/credentials/explain/explain-signature';
import { DraftDelivery } from '../../../src/domain/deliveries/draft-delivery';
import type { PartnerDirectory } from '../../../src/domain/partners/ports';
import type { LogFields } from '../../../src/domain/shared/ports';
import { Secret } from '../../../src/domain/shared/secret';
import { describedFetch } from '../described/hold-to-documents';
import { CountingIds } from '../counting-ids';
import { mainDatabaseKind, openTestDatabase } from '../postgres/database';
import { ManualClock } from '../manual-clock';
import { useCasesOn } from './manage-use-cases';
import { peopleOn } from './people';
import { testBox } from '../postgres/test-box';

export const operatorToken = 'operator-token-of-the-tests';

/** An answer of the manage API. The body is what JSON.parse makes of it: tests look into it freely. */
export interface ManageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- assertions judge the shape
  readonly body: any;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, instead of a JSON body. */
  readonly raw?: string | Uint8Array;
}

export interface AuditRow {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly request_id: string;
}

/** The manage API over HTTP on the main test database. */
export type ManageApi = Awaited<ReturnType<typeof openManageApi>>;

/** Opens the manage API before the tests of a file and closes it after them. It is empty until then. */
export function testManageApi(...given: Parameters<typeof openManageApi>): ManageApi {
  const api = {} as ManageApi;
  beforeAll(async () => void Object.assign(api, await openManageApi(...given)), 60_000);
  afterAll(() => api.close());
  return api;
}

async function openManageApi(readers: Partial<Pick<ManageDeps, 'exchanges' | 'audit'>> = {}) {
  const database = await openTestDatabase(mainDatabaseKind);
  const { db } = database;
  const box = testBox();
  const index = await openReferenceIndex(db, box);
  const clock = new ManualClock();
  const logged: [string, LogFields | undefined][] = [];
  const note = (event: string, fields?: LogFields) => void logged.push([event, fields]);
  const log = { debug: note, info: note, warn: note, error: note };
  const deps = {
    hostApps: new PostgresPartnerRepository({ db, box, table: hostAppTable }),
    miniapps: new PostgresPartnerRepository({ db, box, table: miniappTable }),
    integrations: new PostgresIntegrationRepository({ db }),
    limiter: new MemoryRateLimiter({ limits: { proposal: 20, explain: 120 } }),
    exchanges: new PostgresExchangeReader(db),
    figures: new PostgresFigureReader(db),
    evidenceLinks: new MemoryEvidenceLinkRepository(),
    evidenceSigner: new NodeEvidenceSigner(async () => newEvidenceKey()),
    mutes: new PostgresMutedProblemRepository(db),
    endingCredentials: new PostgresEndingCredentialReader(db),
    probes: new PostgresProbeRepository(db),
    probe: { probe: async () => ({ ms: 3, status: 405, tlsUntil: clock.now() + 90 * 86_400_000 }) },
    proofs: new PostgresProofReader(db),
    live: new PostgresLiveIntegrationRepository(db),
    audit: new PostgresAuditReader(db),
    auditChain: new PostgresAuditChainReader(db),
    erasure: new PostgresUserErasureRepository({ db, box, index }),
    users: new PostgresUserRecordRepository({ db, box, index }),
    transactions: new PostgresTransactionReader(db),
    payments: new PostgresPaymentRecordRepository({ db, box }),
    deliveries: new PostgresDeliveryRepository(db),
    resends: new PostgresResendRepository(db),
    queues: new PostgresEndpointQueueRepository(db),
    paymentFigures: new PostgresPaymentFigureReader(db),
    deliveryFigures: new PostgresDeliveryFigureReader(db),
    notifier: { notify: () => undefined, notifyAll: () => undefined },
    refused: new MemoryRefusedRequestRepository(),
    ...readers,
    digest: new NodeSecretDigestProvider(),
    secrets: new RandomSecretGenerator(),
    keys: new NodePublicKeyReader(),
    keyPairGenerator: new NodeKeyPairGenerator(),
    addresses: new NodeIpAddressMatcher(),
    callers: new PostgresCallerRepository({ db, clock, log }),
    dryRuns: new MemoryDryRunRepository(),
    refreshes: new MemoryRefreshRepository(clock),
    box,
    providers: signingProviders,
    signatureText: nodeSignatureText,
    cipher: new AesPayloadCipher(),
    publicBaseUrl: 'https://platform.example',
    addressOf: () => '203.0.113.50',
    trustedProxies: ['10.0.0.0/8'],
    platformAddresses: [],
    clock,
    eventStreamHub: new EventStreamHub({
      watch: new PostgresChangeReader({ db, clock }),
      living: (digests) => new PostgresSessionRepository(db).living(digests, clock.now()),
      log,
      now: () => performance.now(),
    }),
    refusedSessions: { add: () => undefined, refuses: () => false },
    ids: new CountingIds(),
    log,
    allowHttp: false,
    urlProblem: (url: string) => (/^https:\/\/[a-z.]+(\/|$)/.test(url) ? undefined : 'must be https'),
    addressProblem: async () => undefined,
    operatorToken: new Secret(operatorToken),
    readBody: readBytes(new BodyReader({ limit: 262_144, log, now: () => performance.now() })),
  };
  const directory: PartnerDirectory = {
    hostApp: (id) => deps.hostApps.find(id),
    miniapp: (id) => deps.miniapps.find(id),
    integrationRecord: (clientId, appId) => deps.integrations.find({ clientId, appId }),
    integrationRecordById: async () => undefined,
  };
  const explain = new ExplainSignature({
    ...{ ...deps, windowS: 300 },
    directory,
    explainer: inProcess,
  });
  const noPartner = { execute: () => Promise.reject(new Error('No partner is called from here')) };
  const drafts = { draft: () => Promise.reject(new Error('No partner is called from here')) };
  const draftDelivery = new DraftDelivery({
    ...{ payloads: new PostgresDeliveryPayloadReader({ db, box }), drafts, directory, clock, timeoutMs: 1000, isAllowed: true },
  });
  const people = peopleOn({ ...deps, db });
  const useCases = useCasesOn({ ...deps, explain }, deps.publicBaseUrl);
  const router = manageRouter({
    ...deps,
    ...useCases,
    people,
    explain,
    draftDelivery,
    pollPaymentNow: noPartner,
    workers: 1,
  });
  const server = createServer(express().disable('etag').use('/manage/v1', router));
  const base = await listen(server);

  const call = async (method: string, path: string, body?: unknown, { headers = {}, raw }: CallOptions = {}): Promise<ManageAnswer> => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const given = {
      authorization: `Bearer ${operatorToken}`,
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    };
    const answer = await describedFetch(`${base}/manage/v1/${path}`, { method, headers: given, ...(sent !== undefined && { body: sent }) });
    return { ...answer, body: answer.text === '' ? undefined : JSON.parse(answer.text) };
  };
  const rows = <Row>(query: string): Promise<Row[]> => db.query<Row[]>(query);

  return {
    call,
    base,
    clock,
    logged,
    deps,
    useCases,
    router,
    people,
    db,
    /** Where its database is. */
    target: database.target,
    post: (path: string, body?: unknown, options?: CallOptions) => call('POST', path, body, options),
    get: (path: string, options?: CallOptions) => call('GET', path, undefined, options),
    put: (path: string, body?: unknown, options?: CallOptions) => call('PUT', path, body, options),
    patch: (path: string, body?: unknown, options?: CallOptions) => call('PATCH', path, body, options),
    delete: (path: string) => call('DELETE', path),
    auditRows: () => rows<AuditRow>('select actor, action, subject, before, after, request_id from audit_log order by id'),
    /** Everything that is kept, as text: equal before and after a refused call. */
    kept: async () => {
      const tables = ['host_apps', 'miniapps', 'integrations', 'partner_credentials', 'audit_log'];
      return JSON.stringify(await Promise.all(tables.map((table) => rows(`select * from ${table} order by 1, 2`))));
    },
    /** Time goes by for those who wait after a wrong password. */
    passDelays: (ms: number) => database.db.query(`update sign_in_delays set blocked_until = blocked_until - $1 * interval '1 ms'`, [ms]),
    wipe: () => database.wipe(),
    close: async () => {
      deps.eventStreamHub.stop();
      await new Promise((resolve) => server.close(resolve));
      await database.close();
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
