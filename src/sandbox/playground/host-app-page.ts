import { Router, type Request, type RequestHandler } from 'express';
import { JsonObject } from '../../domain/shared/json';
import { readJsonText } from '../../domain/shared/read-json';
import { printJson } from '../../domain/shared/print-json';
import type { LegReader } from './leg-reader';
import type { PageCalls } from './page-calls';
import { pageFiles } from '../../web/page-files';
import { consentText } from '../setup/partner-settings';
import { bodyOf, readBody, textOf } from '../read-body';
import { Refusal } from '../partners/refusal';
import { findUser, sandboxUsers, type SandboxUser } from '../partners/sandbox-users';
import { callService, type CallsService } from '../service-calls';

/** Dependencies of the host app's page and of its back end. */
export interface HostAppPage {
  /** Folder of the built pages. */
  readonly folder: string;
  /** URL of the service, without a trailing slash. */
  readonly serviceUrl: string;
  /** URL of the miniapp's back end and page, without a trailing slash. */
  readonly miniappUrl: string;
  readonly ids: { readonly client_id: string; readonly app_id: string };
  /** The host app's Secret key at the service; never sent to the page. */
  readonly secretKey: string;
  /** The miniapp's signature: the host app's events need the miniapp's proof, too (contract/events#checks-of-a-host-apps-event). */
  readonly signature: Required<CallsService>['signature'];
  readonly legs: Pick<LegReader, 'since'>;
  readonly calls: Pick<PageCalls, 'record'>;
  /** Milliseconds that time has been advanced. */
  readonly aheadMs: () => number;
}

/** The page of the simulated host app, and the part of its back end that only this page calls. It reveals no secrets. */
export function hostAppPage(page: HostAppPage): Router {
  const { folder, serviceUrl, miniappUrl, ids, secretKey, signature, legs, calls, aheadMs } = page;
  const asHostApp = { serviceUrl, basic: { user: ids.client_id, secret: secretKey } };
  const call = (path: string, body: Parameters<typeof JsonObject.of>[0], as: CallsService = asHostApp) =>
    callService(as, path, JsonObject.of({ ...ids, ...body }));
  const router = Router();
  router.use(pageFiles(folder, { page: 'host-app.html', calls: [serviceUrl], frames: [miniappUrl], framedBy: [] }));
  router.use(calls.record);
  router.get('/sandbox/playground', (_request, response) => {
    response.json({ service: serviceUrl, ...ids, consent_text: consentText, users: sandboxUsers.map(profileOf) });
  });
  router.get('/sandbox/legs', async (request, response) => {
    response.json({ data: await legs.since(startOf(request)), ahead_ms: aheadMs() });
  });
  // The direct flow: the back end signs the user on, and the page passes the miniapp's tokens on.
  router.post('/sandbox/connect', ...readBody, async (request, response) => {
    const user = readJsonText(JSON.stringify(userIn(request)));
    response.json(await call('/api/v1/connect/', { user_data: user }));
  });
  router.post('/sandbox/consent/revoke', ...readBody, async (request, response) => {
    response.json(await call('/api/v1/accounts/consent/revoke/', { user_reference: userIn(request).reference }));
  });
  router.post('/sandbox/events/send', ...readBody, async (request, response) => {
    const payload = bodyOf(request).get('payload');
    const event = { event_type: textOf(request, 'event_type'), payload };
    response.json(await call('/api/v1/events/hostapp/', event, { ...asHostApp, signature }));
  });
  // The page may call only its own back end and the service, so this back end forwards its calls to the miniapp's controls and records.
  const dials = `${miniappUrl}/sandbox/dials`;
  router.get('/sandbox/miniapp/dials', passTo(dials));
  router.put('/sandbox/miniapp/dials', ...readBody, passTo(dials));
  for (const repository of ['webhooks', 'events'])
    router.get(`/sandbox/miniapp/${repository}`, passTo(`${miniappUrl}/sandbox/${repository}`));
  router.post('/sandbox/miniapp/reset', passTo(`${miniappUrl}/sandbox/reset`));
  return router;
}

const profileOf = ({ reference, first_name, last_name, email, phone, custom_attributes }: SandboxUser) => ({
  ...{ reference, first_name, last_name, email, phone },
  tier: custom_attributes.tier,
});

function userIn(request: Request): SandboxUser {
  const user = findUser(textOf(request, 'reference'));
  if (!user) throw new Refusal(400, 'INVALID_INPUT', 'reference: no user of the sandbox has it');
  return user;
}

/** The query's `from` in milliseconds since the epoch; 0 by default. */
function startOf(request: Request): number {
  const { from = '0' } = request.query;
  if (typeof from === 'string' && /^\d{1,14}$/.test(from)) return Number(from);
  throw new Refusal(400, 'INVALID_INPUT', 'from: must be milliseconds since the epoch');
}

const passTo =
  (url: string): RequestHandler =>
  async (request, response) => {
    const { method } = request;
    const sent = method === 'PUT' ? { body: printJson(bodyOf(request)), headers: { 'Content-Type': 'application/json' } } : {};
    const answer = await fetch(url, { method, ...sent });
    response
      .status(answer.status)
      .type('application/json')
      .send(await answer.text());
  };
