import { createDecipheriv } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { allowBrowsers } from './browsers';
import type { Context } from './context';
import { requireBasic } from './credentials';
import type { KnownPair, PairIds } from './pairs';
import { Refusal } from './refusal';
import { id, object, text } from './schema';

interface User {
  readonly reference: string;
}

const user = object({ reference: text(100) }, { email: text(254), first_name: text(250), last_name: text(250) });
const connect = object({ client_id: id, app_id: id, user_data: user });
const authorize = object({ client_id: id, app_id: id, auth_code: text(1000) });
const login = object({ client_id: id, app_id: id, payload: text(200_000) });

const storeUser = {
  name: 'store-user',
  text: `
    insert into tuned.users values ($1, $2, $3)
    on conflict (client_id, reference) do update set data = excluded.data`,
};

const useCode = { name: 'use-code', text: 'insert into tuned.codes (client_id, code) values ($1, $2) on conflict do nothing' };

const storeUserWithTokens = {
  name: 'store-user-with-tokens',
  text: `
    with stored as (
      insert into tuned.users values ($1, $2, $3) on conflict (client_id, reference) do update set data = excluded.data
    )
    insert into tuned.tokens values ($1, $2, $4, $5)
    on conflict (client_id, reference) do update set access_token = excluded.access_token, refresh_token = excluded.refresh_token`,
};

/** connect, authorize and partner/login. */
export function signOn(app: FastifyInstance, context: Context): void {
  const { db, pairs } = context;
  app.post<{ Body: PairIds & { user_data: User } }>('/api/v1/connect/', { schema: { body: connect } }, async (request) => {
    const { client_id, user_data } = request.body;
    const pair = pairs.require(request.body);
    requireBasic(pair.expectedOfHost, request);
    await db.query({ ...storeUser, values: [client_id, user_data.reference, JSON.stringify(user_data)] });
    return session(context, pair, user_data);
  });
  app.post<{ Body: PairIds & { auth_code: string } }>('/api/v1/authorize/', { schema: { body: authorize } }, async (request, reply) => {
    allowBrowsers(reply);
    const { token, refresh_token } = await authorized(context, pairs.require(request.body), request.body.auth_code);
    return { auth_token: token, token, refresh_token };
  });
  app.post<{ Body: PairIds & { payload: string } }>('/api/v1/partner/login/', { schema: { body: login } }, async (request, reply) => {
    allowBrowsers(reply);
    const pair = pairs.require(request.body);
    const opened = openPayload(pair, request.body.payload);
    if (isUser(opened)) await db.query({ ...storeUser, values: [pair.clientId, opened.reference, JSON.stringify(opened)] });
    return session(context, pair, opened);
  });
}

/** A code is good for once; the user and the tokens are stored before the miniapp is called. */
async function authorized(context: Context, pair: KnownPair, auth_code: string) {
  const { db, partners } = context;
  const { rowCount } = await db.query({ ...useCode, values: [pair.clientId, auth_code] });
  if (rowCount === 0) throw new Refusal('INVALID_AUTH_CODE');
  const tokens = await partners.callHost<{ access_token: string; refresh_token?: string }>(pair, '/token', { auth_code });
  const user = await partners.callHostAs<User>(pair, '/user', { token: tokens.access_token });
  const values = [pair.clientId, user.reference, JSON.stringify(user), tokens.access_token, tokens.refresh_token];
  await db.query({ ...storeUserWithTokens, values });
  return session(context, pair, user);
}

async function session({ partners }: Context, pair: KnownPair, claims: object) {
  type Answer = { auth_token: string; refresh_token?: string };
  const { auth_token: token, refresh_token = '' } = await partners.callMiniapp<Answer>(pair, '/auth', JSON.stringify(claims));
  return { token, refresh_token };
}

/** AES-256-CBC behind its initialisation vector, in base64. Throws INVALID_USER_DATA. */
function openPayload({ payloadKey }: KnownPair, payload: string): object {
  try {
    const bytes = Buffer.from(payload, 'base64');
    const decipher = createDecipheriv('aes-256-cbc', payloadKey, bytes.subarray(0, 16));
    const plain = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]);
    const claims: unknown = JSON.parse(plain.toString());
    if (typeof claims === 'object' && claims !== null) return claims;
  } catch {
    // All failures have one answer.
  }
  throw new Refusal('INVALID_USER_DATA');
}

const isUser = (claims: object): claims is User => 'reference' in claims && typeof claims.reference === 'string';
