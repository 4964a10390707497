import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { Agent, request } from 'node:http';
import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { aPair, aPairOver, type Pair } from '../../support/signatures/a-pair';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';
import { openDatabaseProxy } from '../../support/postgres/database-proxy';
import { otherForms } from '../../support/signatures/ecdsa-forms';
import { publicBaseUrl } from '../../support/partners/rotating-partners';
import { startTestService } from '../../support/service/service';
import { startServiceProcess, type ServiceProcess } from '../../support/service/service-process';

// The embedded database serves one process: without a Postgres there are no three of them.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

const path = '/api/v1/orders/get-payment-status/';
const hmacSecret = 'a-shared-secret-of-more-than-32-bytes';
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** Captured calls of either algorithm, 1,000 in all; and calls that are sent to all instances from the start. */
const captured = { HMAC: 850, ECDSA: 150 };
const raced = 100;
/** Calls under way at one time. */
const atOnce = 48;

type Algorithm = keyof typeof captured;

const settingsOf = (algorithm: Algorithm) => ({
  signature: {
    ...{ enabled: true, algorithm, api_client_id: 'cid_1', nonce_length: 32 },
    payload_template: '{request_method}.{url}.{client_id}.{timestamp}.{nonce}.{payload}',
    ...(algorithm === 'HMAC' ? { hmac_secret: hmacSecret } : { partner_public_key: publicKey.export({ type: 'spki', format: 'pem' }) }),
  },
});

/** A signed call as it lies on the wire, and every signature that fits it: first the one that it was made with. */
interface Captured {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signatures: readonly string[];
}

function capture({ clientId, appId }: Pair, algorithm: Algorithm): Captured {
  const body = JSON.stringify({ client_id: clientId, app_id: appId, order_payment_id: 'nobody-knows' });
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomBytes(16).toString('hex')];
  const text = Buffer.from(`POST.${publicBaseUrl}${path}.cid_1.${timestamp}.${nonce}.${body}`);
  const headers = { 'X-Client-Id': 'cid_1', 'X-Timestamp': timestamp, 'X-Nonce': nonce };
  return { body, headers, signatures: signaturesOf(text, algorithm).map((signature) => signature.toString('base64')) };
}

function signaturesOf(text: Buffer, algorithm: Algorithm): Buffer[] {
  if (algorithm === 'HMAC') return [createHmac('sha256', hmacSecret).update(text).digest()];
  const signature = sign('sha256', text, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return [signature, ...otherForms(signature)];
}

/** What a call was answered: past all checks nobody knows the payment. */
interface Answer {
  readonly status: number;
  readonly code: string;
  readonly cause: string | undefined;
}

const agent = new Agent({ keepAlive: true, maxSockets: atOnce });

function send(url: string, { body, headers, signatures }: Captured, form = 0): Promise<Answer> {
  const all = {
    ...headers,
    'X-Signature': signatures[form]!,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method: 'POST', agent, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const { error_code: code, custom_attributes: attributes } = JSON.parse(text) as {
          error_code: string;
          custom_attributes: { cause?: string };
        };
        resolve({ status: response.statusCode ?? 0, code, cause: attributes.cause });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const wasAccepted = ({ code }: Answer): boolean => code === 'ORDER_NOT_FOUND';
const wasReplayed = ({ status, code, cause }: Answer): boolean => status === 401 && code === 'INVALID_SIGNATURE' && cause === 'nonce-used';

describeOnPostgres('a signed call with a nonce, on three processes', () => {
  let database: TestDatabase;
  let processes: ServiceProcess[];
  let pairs: Record<Algorithm, Pair>;

  beforeAll(async () => {
    database = await openTestDatabase('postgres');
    const url = database.target.kind === 'postgres' ? database.target.url : '';
    const env = { DATABASE_URL: url, PUBLIC_BASE_URL: publicBaseUrl, LOG_LEVEL: 'info' };
    processes = await Promise.all([1, 2, 3].map(() => startServiceProcess(env)));
    const make = (algorithm: Algorithm) => aPairOver(processes[0]!.url, { miniapp: settingsOf(algorithm) });
    pairs = { HMAC: await make('HMAC'), ECDSA: await make('ECDSA') };
  }, 60_000);
  afterAll(async () => {
    agent.destroy();
    expect(await Promise.all(processes.map((one) => one.end('SIGTERM')))).toEqual([0, 0, 0]);
    await database.close();
  });

  /** To each process at once. */
  const everywhere = (call: Captured, form?: number) => Promise.all(processes.map(({ url }) => send(url, call, form)));

  it('is accepted once: not again on any process, nor with another matching signature', async () => {
    const began = performance.now();
    const counts = { captured: 0, accepted: 0, sentAgain: 0, acceptedAgain: 0, refusedOtherwise: 0 };
    for (const algorithm of ['HMAC', 'ECDSA'] as const) {
      await inQueues(captured[algorithm], async (n) => {
        const call = capture(pairs[algorithm], algorithm);
        counts.captured++;
        if (wasAccepted(await send(processes[n % 3]!.url, call))) counts.accepted++;
        const again = await Promise.all(call.signatures.map((_signature, form) => everywhere(call, form)));
        for (const answer of again.flat()) {
          counts.sentAgain++;
          if (wasAccepted(answer)) counts.acceptedAgain++;
          else if (!wasReplayed(answer)) counts.refusedOtherwise++;
        }
      });
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(`captured calls sent again to each of 3 processes, in ${seconds} s: ${JSON.stringify(counts)}\n`);
    expect(counts).toEqual({ captured: 1000, accepted: 1000, sentAgain: 850 * 3 + 150 * 12, acceptedAgain: 0, refusedOtherwise: 0 });
  }, 60_000);

  it('is accepted once if it comes to all of them at once', async () => {
    const answers = await inQueues(raced, () => everywhere(capture(pairs.ECDSA, 'ECDSA'), 0));
    const accepted = answers.map((of) => of.filter(wasAccepted).length);
    expect(accepted).toEqual(answers.map(() => 1));
    expect(answers.flat().filter(wasReplayed)).toHaveLength(2 * raced);
  }, 30_000);

  it('keeps its nonce for another partner, and for itself with a new nonce', async () => {
    const call = capture(pairs.HMAC, 'HMAC');
    expect(wasAccepted(await send(processes[0]!.url, call))).toBe(true);
    expect(wasAccepted(await send(processes[1]!.url, capture(pairs.HMAC, 'HMAC')))).toBe(true);
    expect(wasReplayed(await send(processes[2]!.url, call))).toBe(true);
  });

  it('keeps its nonce if a stranger sends that first with a wrong signature', async () => {
    const call = capture(pairs.HMAC, 'HMAC');
    const forged = { ...call, signatures: [randomBytes(32).toString('base64')] };
    const answers = await everywhere(forged);
    expect(answers.map(({ code, cause }) => [code, cause])).toEqual(answers.map(() => ['INVALID_SIGNATURE', 'signature']));
    expect(wasAccepted(await send(processes[0]!.url, call))).toBe(true);
  });
});

describeOnPostgres('a signed call while the nonces are away', () => {
  it('is refused with 503, is counted, and is accepted afterwards', async () => {
    const database = await openTestDatabase('postgres');
    const proxy = await openDatabaseProxy(database.target.kind === 'postgres' ? database.target.url : '', 'pierhead');
    const db = await createDataSource({ kind: 'postgres', url: proxy.url }).initialize();
    const service = await startTestService({ database: { ...database, db }, env: { PUBLIC_BASE_URL: publicBaseUrl } });
    try {
      const pair = await aPair(service, { miniapp: settingsOf('HMAC') });
      expect(wasAccepted(await send(service.url, capture(pair, 'HMAC')))).toBe(true);
      proxy.goAway();
      const calls = [1, 2, 3].map(() => capture(pair, 'HMAC'));
      const refused = await Promise.all(calls.map((call) => send(service.url, call)));
      expect(refused.map(({ status, code }) => [status, code])).toEqual(calls.map(() => [503, 'SERVICE_UNAVAILABLE']));
      expect(service.logText()).toMatch(/"message":"nonce-ledger-away".*"refused":3/);
      proxy.mend();
      for (const call of calls) expect(wasAccepted(await send(service.url, call))).toBe(true);
    } finally {
      proxy.mend();
      await service.close();
      await db.destroy();
      await proxy.close();
      await database.close();
    }
  }, 30_000);
});

/** Does `count` pieces of work in order, `atOnce` calls of them at a time. */
async function inQueues<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const queue = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) results[n] = await work(n);
  };
  await Promise.all(Array.from({ length: atOnce / 3 }, queue));
  return results;
}
