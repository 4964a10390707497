import 'reflect-metadata';
import { createServer, Agent } from 'node:http';
import axios from 'axios';
import express from 'express';
import { DataSource, EntitySchema } from 'typeorm';
import { isBasic, userAndPassword } from './basic';
import { databaseConnections, firstPair, listening, maxPartnerConnections, type Listening, type PeerSettings } from './peer-settings';

interface Connect {
  readonly client_id: string;
  readonly app_id: string;
  readonly user_data: { readonly reference: string };
}

interface HostRow {
  client_id: string;
  secret: string;
}

interface MiniRow {
  app_id: string;
  secret: string;
  auth_url: string;
}

interface IntegrationRow {
  client_id: string;
  app_id: string;
  status: string;
}

interface UserRow {
  client_id: string;
  reference: string;
  data: object;
}

const key = { type: 'text', primary: true } as const;
const text = { type: 'text' } as const;
const hosts = new EntitySchema<HostRow>({ name: 'host', schema: 'naive', columns: { client_id: key, secret: text } });
const minis = new EntitySchema<MiniRow>({ name: 'mini', schema: 'naive', columns: { app_id: key, secret: text, auth_url: text } });
const integrations = new EntitySchema<IntegrationRow>({
  ...{ name: 'integration', schema: 'naive', columns: { client_id: key, app_id: key, status: text } },
});
const users = new EntitySchema<UserRow>({
  ...{ name: 'host_user', schema: 'naive', columns: { client_id: key, reference: key, data: { type: 'jsonb' } } },
});

const tables = `
  create schema naive;
  create table naive.host (client_id text primary key, secret text not null);
  create table naive.mini (app_id text primary key, secret text not null, auth_url text not null);
  create table naive.integration (client_id text, app_id text, status text not null, primary key (client_id, app_id));
  create table naive.host_user (client_id text, reference text, data jsonb not null, primary key (client_id, reference));`;

/** A connect as a team writes it first: Express, axios and TypeORM repositories; three rows are read and one is written for a call. */
export async function listen(settings: PeerSettings): Promise<Listening> {
  const entities = [hosts, minis, integrations, users];
  const db = await new DataSource({ type: 'postgres', url: settings.databaseUrl, entities, poolSize: databaseConnections }).initialize();
  await db.query(tables);
  await storePair(db, settings);
  const httpAgent = new Agent({ keepAlive: true, maxSockets: maxPartnerConnections });
  const partner = axios.create({ httpAgent, timeout: 10_000 });

  const app = express();
  app.use(express.json());
  app.post('/api/v1/connect/', async (req, res) => {
    const { client_id, app_id, user_data: user } = req.body as Connect;
    const host = await db.getRepository(hosts).findOneBy({ client_id });
    const expected = host && `Basic ${Buffer.from(`${host.client_id}:${host.secret}`).toString('base64')}`;
    if (!expected || !isBasic(Buffer.from(expected), req.headers.authorization)) {
      return void res.status(401).json({ error_code: 'ACCESS_DENIED' });
    }
    const mini = await db.getRepository(minis).findOneBy({ app_id });
    const integration = await db.getRepository(integrations).findOneBy({ client_id, app_id });
    if (!mini || integration?.status !== 'accepted') return void res.status(400).json({ error_code: 'NO_INTEGRATION' });
    await db.getRepository(users).upsert({ client_id, reference: user.reference, data: user }, ['client_id', 'reference']);
    const authorization = `Basic ${Buffer.from(`${mini.app_id}:${mini.secret}`).toString('base64')}`;
    const headers = { authorization, 'x-hostapp-client-id': client_id, 'x-miniapp-app-id': app_id };
    const { data } = await partner.post<{ auth_token: string; refresh_token: string }>(mini.auth_url, user, { headers });
    res.json({ token: data.auth_token, refresh_token: data.refresh_token });
  });
  const server = await listening(createServer(app));
  return { port: server.port, close: () => server.close().then(() => db.destroy()) };
}

async function storePair(db: DataSource, settings: PeerSettings): Promise<void> {
  const { clientId, appId, hostBasic, miniBasic } = firstPair(settings);
  await db.getRepository(hosts).insert({ client_id: clientId, secret: userAndPassword(hostBasic).password });
  const auth_url = `${settings.partnersUrl}/auth`;
  await db.getRepository(minis).insert({ app_id: appId, secret: userAndPassword(miniBasic).password, auth_url });
  await db.getRepository(integrations).insert({ client_id: clientId, app_id: appId, status: 'accepted' });
}
