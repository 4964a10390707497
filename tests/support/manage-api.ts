import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { BodiesUnderWay } from '../../src/adapters/in/http/bodies-under-way';
import { readBytes } from '../../src/adapters/in/http/body';
import { LiveBoard } from '../../src/adapters/in/http/manage/live-board';
import { type ManageDeps, manageRouter } from '../../src/adapters/in/http/manage/manage-router';
import { MemoryEvidenceLinks } from '../../src/adapters/out/memory/memory-evidence-links';
import { MemoryRateLimiter } from '../../src/adapters/out/memory/memory-rate-limiter';
import { MemoryRefusedRequests } from '../../src/adapters/out/memory/memory-refused-requests';
import { PostgresAgreementRepository } from '../../src/adapters/out/postgres/integrations/postgres-agreement-repository';
import { PostgresPartnerRepository } from '../../src/adapters/out/postgres/partners/postgres-partner-repository';
import { PostgresSessionRepository } from '../../src/adapters/out/postgres/accounts/postgres-session-repository';
import { PostgresChangeWatch } from '../../src/adapters/out/postgres/postgres-change-watch';
import { MemoryRefreshBook } from '../../src/adapters/out/memory/memory-refresh-book';
import { MemoryShadowBook } from '../../src/adapters/out/memory/memory-shadow-book';
import { PostgresCallerBook } from '../../src/adapters/out/postgres/postgres-caller-book';
import { AesPayloadCipher } from '../../src/adapters/out/signing/payload-cipher';
import { signingProviders } from '../../src/adapters/out/signing/signing-providers';
import { PostgresAuditChain } from '../../src/adapters/out/postgres/postgres-audit-chain';
import { PostgresAuditReader } from '../../src/adapters/out/postgres/postgres-audit-reader';
import { PostgresDeliveryBook } from '../../src/adapters/out/postgres/postgres-delivery-book';
import { PostgresOwedVault } from '../../src/adapters/out/postgres/postgres-owed-vault';
import { PostgresLaneBook } from '../../src/adapters/out/postgres/postgres-lane-book';
import { PostgresResendBook } from '../../src/adapters/out/postgres/postgres-resend-book';
import { PostgresExchangeReader } from '../../src/adapters/out/postgres/postgres-exchange-reader';
import { PostgresEndingCredentials } from '../../src/adapters/out/postgres/postgres-ending-credentials';
import { PostgresLiveBook } from '../../src/adapters/out/postgres/postgres-live-book';
import { PostgresMutedProblemRepository } from '../../src/adapters/out/postgres/problems/postgres-muted-problem-repository';
import { PostgresProbeBook } from '../../src/adapters/out/postgres/postgres-probe-book';
import { PostgresProofBook } from '../../src/adapters/out/postgres/postgres-proof-book';
import { PostgresFigures } from '../../src/adapters/out/postgres/postgres-figures';
import { PostgresPaymentBook } from '../../src/adapters/out/postgres/postgres-payment-book';
import { PostgresDeliveryFigures } from '../../src/adapters/out/postgres/postgres-delivery-figures';
import { PostgresPaymentFigures } from '../../src/adapters/out/postgres/postgres-payment-figures';
import { PostgresUserBook } from '../../src/adapters/out/postgres/postgres-user-book';
import { PostgresUserErasure } from '../../src/adapters/out/postgres/postgres-user-erasure';
import { openReferenceIndex } from '../../src/adapters/out/postgres/reference-index';
import { PostgresTransactionReader } from '../../src/adapters/out/postgres/postgres-transaction-reader';
import { hostAppTable, miniappTable } from '../../src/adapters/out/postgres/partners/partner-table';
import { newEvidenceKey, NodeEvidenceSigner } from '../../src/adapters/out/signing/evidence-signer';
import { NodeKeyImport } from '../../src/adapters/out/signing/key-import';
import { NodeKeyMaker } from '../../src/adapters/out/signing/key-maker';
import { inProcess } from './in-process-explainer';
import { nodeSignatureText } from '../../src/adapters/out/signing/signature-text';
import { NodeSecretDigest } from '../../src/adapters/out/signing/secret-digest';
import { IpAddressBook } from '../../src/adapters/out/system/addresses';
import { RandomSecretSource } from '../../src/adapters/out/system/secret-source';
import { ExplainSignature } from '../../src/domain/credentials/explain/explain-signature';
import { DraftDelivery } from '../../src/domain/deliveries/draft-delivery';
import type { PartnerDirectory } from '../../src/domain/partners/ports';
import type { LogFields } from '../../src/domain/shared/ports';
import { Secret } from '../../src/domain/shared/secret';
import { describedFetch } from './described/hold-to-documents';
import { CountingIds } from './counting-ids';
import { mainDatabaseKind, openTestDatabase } from './database';
import { ManualClock } from './manual-clock';
import { peopleOn } from './people';
import { testBox } from './test-box';

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

export async function openManageApi(readers: Partial<Pick<ManageDeps, 'exchanges' | 'audit'>> = {}) {
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
    agreements: new PostgresAgreementRepository({ db }),
    limiter: new MemoryRateLimiter({ limits: { proposal: 20, explain: 120 } }),
    exchanges: new PostgresExchangeReader(db),
    figures: new PostgresFigures(db),
    evidenceLinks: new MemoryEvidenceLinks(),
    evidenceSigner: new NodeEvidenceSigner(async () => newEvidenceKey()),
    mutes: new PostgresMutedProblemRepository(db),
    endingCredentials: new PostgresEndingCredentials(db),
    probes: new PostgresProbeBook(db),
    probe: { probe: async () => ({ ms: 3, status: 405, tlsUntil: clock.now() + 90 * 86_400_000 }) },
    proofs: new PostgresProofBook(db),
    live: new PostgresLiveBook(db),
    audit: new PostgresAuditReader(db),
    auditChain: new PostgresAuditChain(db),
    erasure: new PostgresUserErasure({ db, box, index }),
    users: new PostgresUserBook({ db, box, index }),
    transactions: new PostgresTransactionReader(db),
    payments: new PostgresPaymentBook({ db, box }),
    deliveries: new PostgresDeliveryBook(db),
    resends: new PostgresResendBook(db),
    lanes: new PostgresLaneBook(db),
    paymentFigures: new PostgresPaymentFigures(db),
    deliveryFigures: new PostgresDeliveryFigures(db),
    bell: { ring: () => undefined, ringAll: () => undefined },
    refused: new MemoryRefusedRequests(),
    ...readers,
    digest: new NodeSecretDigest(),
    secrets: new RandomSecretSource(),
    keys: new NodeKeyImport(),
    keyMaker: new NodeKeyMaker(),
    addresses: new IpAddressBook(),
    callers: new PostgresCallerBook({ db, clock, log }),
    shadows: new MemoryShadowBook(),
    refreshes: new MemoryRefreshBook(clock),
    box,
    providers: signingProviders,
    signatureText: nodeSignatureText,
    cipher: new AesPayloadCipher(),
    publicBaseUrl: 'https://platform.example',
    addressOf: () => '203.0.113.50',
    trustedProxies: ['10.0.0.0/8'],
    platformAddresses: [],
    clock,
    liveBoard: new LiveBoard({
      watch: new PostgresChangeWatch({ db, clock }),
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
    readBody: readBytes(new BodiesUnderWay({ limit: 262_144, log, now: () => performance.now() })),
  };
  const directory: PartnerDirectory = {
    hostApp: (id) => deps.hostApps.find(id),
    miniapp: (id) => deps.miniapps.find(id),
    agreement: (clientId, appId) => deps.agreements.find({ clientId, appId }),
    agreementById: async () => undefined,
  };
  const explain = new ExplainSignature({
    ...{ ...deps, windowS: 300 },
    directory,
    explainer: inProcess,
  });
  const nobodyIsAsked = { execute: () => Promise.reject(new Error('No partner is called from here')) };
  const drafts = { draft: () => Promise.reject(new Error('No partner is called from here')) };
  const draftDelivery = new DraftDelivery({
    ...{ vault: new PostgresOwedVault({ db, box }), drafts, directory, clock, timeoutMs: 1000, isAllowed: true },
  });
  const people = peopleOn({ ...deps, db });
  const router = manageRouter({ ...deps, people, explain, draftDelivery, askPaymentNow: nobodyIsAsked });
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
      deps.liveBoard.stop();
      await new Promise((resolve) => server.close(resolve));
      await database.close();
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
