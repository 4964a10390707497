import { Router, type Request, type RequestHandler } from 'express';
import { JsonObject, printJson, readJsonText } from '../domain/shared/json';
import type { LegReader } from './leg-reader';
import type { PageCalls } from './page-calls';
import { pageFiles } from '../web/page-files';
import { consentText } from './partner-settings';
import { bodyOf, readBody, textOf } from './read-body';
import { Refusal } from './refusal';
import { findUser, sandboxUsers, type SandboxUser } from './sandbox-users';
import { callService, type CallsService } from './service-calls';

/** What the host app's page and the back end behind it need to know. */
export interface HostAppPage {
  /** Where the built pages lie. */
  readonly folder: string;
  /** Of the service, without a final slash. */
  readonly serviceUrl: string;
  /** Of the miniapp's back end and page, without a final slash. */
  readonly miniappUrl: string;
  readonly ids: { readonly client_id: string; readonly app_id: string };
  /** The host app's Secret key toward the service; it stays here. */
  readonly secretKey: string;
  /** The miniapp's: its proof is asked of the host app's events, too (contract/events#checks-of-a-host-apps-event). */
  readonly signature: Required<CallsService>['signature'];
  readonly legs: Pick<LegReader, 'since'>;
  readonly calls: Pick<PageCalls, 'record'>;
  /** How far time has been let pass, in milliseconds. */
  readonly aheadMs: () => number;
}

/** The page of the simulated host app, and the part of its back end that only this page calls. No secret leaves through it. */
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
  // The direct flow: the back end says who the user is, and the page hands the miniapp's tokens on.
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
  // The page may call nobody but its own back end and the service, so the miniapp's dials are turned and its books are read through here.
  const dials = `${miniappUrl}/sandbox/dials`;
  router.get('/sandbox/miniapp/dials', passTo(dials));
  router.put('/sandbox/miniapp/dials', ...readBody, passTo(dials));
  for (const book of ['webhooks', 'events']) router.get(`/sandbox/miniapp/${book}`, passTo(`${miniappUrl}/sandbox/${book}`));
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

/** `from` of the query, in milliseconds since the epoch; 0 where it is absent. */
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
