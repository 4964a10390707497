import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { allowBrowsers } from './browsers';
import type { Context } from './context';
import type { PairIds } from './pairs';
import { id, object } from './schema';

const clientId = object({ client_id: id });

/** What pages in browsers ask for and report: settings, the list of approved miniapps, track. All of it is in memory. */
export function pages(app: FastifyInstance, { pairs }: Context): void {
  app.get<{ Params: { app_id: string }; Querystring: { client_id: string } }>(
    '/api/v1/miniapps/:app_id/settings/',
    { schema: { querystring: clientId } },
    async (request, reply) => {
      allowBrowsers(reply);
      const { app_id } = request.params;
      pairs.require({ app_id, client_id: request.query.client_id });
      return { app_id, miniapp: { ...miniapp, app_id }, hostapp, colors: {} };
    },
  );
  const listed = new Map([...pairs.appsByHost()].map(([host, apps]) => [host, listOf(apps)]));
  const empty = listOf([]);
  app.get<{ Querystring: { client_id: string } }>(
    '/api/v1/partner/miniapps/approved_miniapps/',
    { schema: { querystring: clientId } },
    async ({ query: { client_id } }, reply) => {
      allowBrowsers(reply);
      const { etag, body } = listed.get(client_id) ?? empty;
      return reply.header('etag', etag).type('application/json').send(body);
    },
  );
  app.post<{ Body: PairIds }>(
    '/api/v1/analytics/track/',
    { schema: { body: object({ client_id: id, app_id: id }) } },
    async (request, reply) => {
      allowBrowsers(reply);
      pairs.require(request.body);
      return { message: 'ok', status: 200 };
    },
  );
}

const miniapp = { name: 'Mini', url: null, logo: null, required_fields: [], white_listed_urls: [] };
const hostapp = {
  ...{ name: 'Host', logo: null, is_consent_enabled: false, consent_text: null, consent_links: [] },
  ...{ consent_in_popup: false, server_side_sign_on: false },
};

function listOf(apps: readonly string[]): { readonly body: string; readonly etag: string } {
  const body = JSON.stringify(
    apps.map((app_id, n) => ({ id: n + 1, app_id, name: 'Mini', long_description: '', logo: null, category: null })),
  );
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}
