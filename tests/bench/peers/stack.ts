import { randomUUID } from 'node:crypto';
import { createServer, Agent } from 'node:http';
import axios from 'axios';
import express from 'express';
import { Pool } from 'pg';
import winston from 'winston';
import { isBasic } from './basic';
import { databaseConnections, firstPair, listening, maxPartnerConnections, type Listening, type PeerSettings } from './peer-settings';

interface Connect {
  readonly client_id: string;
  readonly app_id: string;
  readonly user_data: { readonly reference: string };
}

const tables = `
  create schema stack;
  create table stack.users (client_id text, reference text, data jsonb not null, primary key (client_id, reference));`;

const store = {
  name: 'store',
  text: `insert into stack.users values ($1, $2, $3) on conflict (client_id, reference) do update set data = excluded.data`,
};

/**
 * A connect on the service's own libraries, written by hand: Express, axios, pg with a prepared statement, winston with one line a
 * call, partners in memory. Checks Basic and stores the user.
 */
export async function listen(settings: PeerSettings): Promise<Listening> {
  const pair = firstPair(settings);
  const db = new Pool({ connectionString: settings.databaseUrl, max: databaseConnections });
  await db.query(tables);
  const httpAgent = new Agent({ keepAlive: true, maxSockets: maxPartnerConnections });
  const partner = axios.create({ baseURL: settings.partnersUrl, httpAgent, timeout: 10_000, maxRedirects: 0, proxy: false });
  const format = winston.format.combine(winston.format.timestamp(), winston.format.json());
  const log = winston.createLogger({ format, transports: [new winston.transports.File({ filename: '/dev/null' })] });
  const expected = Buffer.from(pair.hostBasic);
  const proof = { authorization: pair.miniBasic, 'x-hostapp-client-id': pair.clientId, 'x-miniapp-app-id': pair.appId };

  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(express.json());
  app.post('/api/v1/connect/', async (req, res) => {
    const { client_id, app_id, user_data: user } = req.body as Connect;
    if (client_id !== pair.clientId || app_id !== pair.appId) return void res.status(400).json({ error_code: 'NO_INTEGRATION' });
    if (!isBasic(expected, req.headers.authorization)) return void res.status(401).json({ error_code: 'ACCESS_DENIED' });
    await db.query({ ...store, values: [client_id, user.reference, JSON.stringify(user)] });
    const { data } = await partner.post<{ auth_token: string; refresh_token: string }>('/auth', user, { headers: proof });
    res.json({ token: data.auth_token, refresh_token: data.refresh_token });
    log.info('request', { call: 'connect', status: 200, request_id: randomUUID() });
  });
  const server = await listening(createServer(app));
  return { port: server.port, close: () => server.close().then(() => db.end()) };
}
