import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { databaseConnections, type Listening, type PeerSettings } from '../peer-settings';
import { analytics } from './analytics';
import { completeOrder } from './completion';
import { consent } from './consent';
import type { Context } from './context';
import { Deliveries } from './deliveries';
import { events } from './events';
import { orders } from './orders';
import { pages } from './pages';
import { Pairs } from './pairs';
import { Partners } from './partners';
import { answerRefusals } from './refusal';
import { signOn } from './sign-on';
import { tables } from './tables';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, on routes that are signed. */
    rawBody?: Buffer;
  }
}

/**
 * The twin of every route, written by hand for speed: Fastify, undici, prepared statements, partners in memory, bodies checked by JSON
 * schemas. It makes the same calls to partners, stores the same facts and checks the same credentials.
 */
export async function listen({ databaseUrl, partnersUrl, publicBase, pairs }: PeerSettings): Promise<Listening> {
  const db = new Pool({ connectionString: databaseUrl, max: databaseConnections });
  await db.query(tables);
  const partners = new Partners(partnersUrl);
  const context: Context = { db, partners, publicBase, pairs: new Pairs(pairs) };
  const deliveries = new Deliveries(context);
  const app = await appOf(context, deliveries);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const close = async (): Promise<void> => {
    deliveries.stop();
    await app.close();
    await partners.close();
    await db.end();
  };
  return { port: Number(new URL(address).port), close };
}

async function appOf(context: Context, deliveries: Deliveries): Promise<FastifyInstance> {
  const customOptions = { coerceTypes: false, removeAdditional: false, useDefaults: false } as const;
  const app = Fastify({ logger: false, forceCloseConnections: true, ajv: { customOptions } });
  answerRefusals(app);
  app.decorateRequest('rawBody');
  signOn(app, context);
  consent(app, context);
  completeOrder(app, context, deliveries);
  analytics(app, context);
  pages(app, context);
  await app.register(async (signed) => {
    keepRawBodies(signed);
    orders(signed, context);
    events(signed, context);
  });
  return app;
}

/** The signature covers the bytes, not their meaning. */
function keepRawBodies(app: FastifyInstance): void {
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    request.rawBody = body;
    return JSON.parse(body.toString()) as unknown;
  });
}
