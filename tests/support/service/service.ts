import { Writable } from 'node:stream';
import request from 'supertest';
import { WinstonLog } from '../../../src/adapters/out/logging/winston-log';
import { composeService, type ComposedService } from '../../../src/composition/processes/compose-service';
import { listen } from '../../../src/composition/processes/http-server';
import { readSettings, type Settings } from '../../../src/config/settings';
import type { Exchange } from '../../../src/domain/exchanges/exchange';
import { holdToDocuments } from '../described/hold-to-documents';
import { openTestDatabase, mainDatabaseKind, type DatabaseKind, type TestDatabase } from '../postgres/database';

/** An answer, its body parsed where it is JSON. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read what they expect, and fail where it is not there
  readonly body: any;
}

export interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string or bytes are sent as they are. */
  readonly body?: unknown;
}

/** A composed service on loopback, with a database of its own, that watches over canaries. */
export interface TestService {
  readonly url: string;
  readonly database: TestDatabase;
  readonly composed: ComposedService;
  /** A secret, token or user field that must not show in the log, in an error body or in an exchange record. */
  canary(text: string): string;
  call(method: string, path: string, call?: Call): Promise<Reply>;
  /** A call of the manage API. */
  manage(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Exchange records by request id, once they are written. */
  exchanges(requestId: string): Promise<Exchange[]>;
  logText(): string;
  /** Fails where a canary was found in an output that must not hold it. */
  close(): Promise<void>;
}

export const operatorToken = 'operator-token-CANARY-0123456789';
const notify = 'k1:' + Buffer.alloc(32, 7).toString('base64');

export interface ServiceOptions {
  readonly kind?: DatabaseKind;
  readonly env?: Readonly<Record<string, string>>;
  /** A database that is there already, for a second instance; it is not closed. */
  readonly database?: TestDatabase;
  readonly change?: Parameters<typeof composeService>[1];
  /** Called where the operator asks the instance to leave. */
  readonly onDrain?: () => void;
}

export async function startTestService({
  kind = mainDatabaseKind,
  env = {},
  database: given,
  change,
  onDrain,
}: ServiceOptions = {}): Promise<TestService> {
  const database = given ?? (await openTestDatabase(kind));
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString('utf8'));
      done();
    },
  });
  const log = new WinstonLog({ level: 'debug', stream });
  const settings: Settings = readSettings({
    PORT: '0',
    OPERATOR_TOKEN: operatorToken,
    ENCRYPTION_KEYS: notify,
    SANDBOX: 'off',
    SHEDDING: 'off',
    ...env,
  });
  const secrets = { operatorToken, encryptionKeys: settings.encryptionKeys ?? [] };
  const composed = await composeService({ settings, secrets, db: database.db, log, ...(onDrain && { onDrain }) }, change);
  const server = await listen(composed.app, { host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${String(server.port)}`;
  const canaries = new Set([operatorToken]);
  const errorBodies: string[] = [];

  const call: TestService['call'] = async (method, path, { headers = {}, body } = {}) => {
    const sent = requestTo(url, method, path).redirects(0).buffer(true).parse(asText);
    // The sent body is exactly the given one: bytes are not printed as JSON again.
    sent.serialize((given: string) => given);
    if (body !== undefined) sent.set('Content-Type', 'application/json');
    const response = await sent.set(headers).send(body === undefined ? undefined : asSent(body));
    const text = typeof response.body === 'string' ? response.body : '';
    if (response.status >= 400) errorBodies.push(text);
    const reply = { status: response.status, headers: new Headers(response.headers), text };
    holdToDocuments({ method: method.toUpperCase(), target: path, sent: sentText(body), ...reply });
    return { ...reply, body: parsed(text) };
  };
  return {
    url,
    database,
    composed,
    canary: (text) => (canaries.add(text), text),
    call,
    manage: (method, path, body) => call(method, `/manage/v1/${path}`, { headers: { Authorization: `Bearer ${operatorToken}` }, body }),
    exchanges: async (requestId) => {
      const find = async () =>
        (await call('GET', `/manage/v1/exchanges?request_id=${requestId}`, { headers: { Authorization: `Bearer ${operatorToken}` } })).body
          .data;
      return until(find, (found) => found.length > 0);
    },
    logText: () => lines.join(''),
    close: async () => {
      await server.close(5000);
      await composed.close();
      const records = await database.db.query('select * from exchanges');
      const audit = await database.db.query('select * from audit_log');
      if (!given) await database.close();
      const outputs = [
        ['log', lines.join('')],
        ['error bodies', errorBodies.join('\n')],
        ['exchange records', JSON.stringify(records)],
        ['audit trail', JSON.stringify(audit)],
      ] as const;
      for (const canary of canaries) {
        const found = outputs.find(([, text]) => text.includes(canary));
        if (found) throw new Error(`The canary ${canary} shows in the ${found[0]}: ${excerpt(found[1], canary)}`);
      }
    },
  };
}

const requestTo = (url: string, method: string, path: string): request.Test =>
  (request(url) as unknown as Record<string, (path: string) => request.Test>)[method.toLowerCase()]!(path);

const asSent = (body: unknown): string =>
  typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body);

/** The sent body, where it can be read as text. */
const sentText = (body: unknown): string | undefined => (body === undefined || body instanceof Uint8Array ? undefined : asSent(body));

/** The answer's body as text, whatever it says that it is. */
const asText = (response: request.Response, done: (error: Error | null, text: string) => void): void => {
  // superagent hands the raw stream to a parser, under the type of its answer.
  const stream = response as unknown as NodeJS.ReadableStream;
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (piece: string) => (text += piece));
  stream.on('end', () => {
    done(null, text);
  });
};

const excerpt = (text: string, found: string): string => text.slice(Math.max(0, text.indexOf(found) - 200), text.indexOf(found) + 200);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Looks again, with short rests, until the result is right; fails after twenty seconds, unless another time is given, in milliseconds. */
export async function until<T>(poll: () => Promise<T>, isRight: (found: T) => boolean, withinMs = 20_000): Promise<T> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const found = await poll();
    if (isRight(found)) return found;
    if (performance.now() > giveUpAt) throw new Error(`What was waited for did not come within ${String(withinMs)} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
