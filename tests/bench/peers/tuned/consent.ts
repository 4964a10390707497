import type { FastifyInstance } from 'fastify';
import { allowBrowsers } from './browsers';
import type { Context } from './context';
import { requireBasic } from './credentials';
import type { KnownPair, PairIds } from './pairs';
import { id, list, object, text } from './schema';

interface Consent extends PairIds {
  readonly user_reference: string;
  readonly fields?: readonly string[];
  readonly text_version?: string;
}

const ids = { client_id: id, app_id: id, user_reference: text(100) };
const saved = object(ids, { fields: list(text(64), 50), text_version: text(64) });

const read = {
  name: 'read-consent',
  text: 'select granted from tuned.consents where client_id = $1 and app_id = $2 and reference = $3',
};

/** Sets the state, and enters the change in the store where there is one. */
const record = {
  name: 'record-consent',
  text: `
    with changed as (
      insert into tuned.consents as c (client_id, app_id, reference, granted, fields, text_version)
      select $1, $2, $3, $4::boolean, $5::text[], $6
      where $4::boolean or exists (select from tuned.consents where client_id = $1 and app_id = $2 and reference = $3)
      on conflict (client_id, app_id, reference) do update
      set granted = excluded.granted, fields = excluded.fields, text_version = excluded.text_version
      where (c.granted, c.fields, c.text_version) is distinct from (excluded.granted, excluded.fields, excluded.text_version)
      returning granted
    )
    insert into tuned.consent_entries (client_id, app_id, reference, granted, fields, text_version, call)
    select $1, $2, $3, granted, $5::text[], $6, $7 from changed`,
};

/** get_consent, save_consent and revoke. */
export function consent(app: FastifyInstance, { db, pairs }: Context): void {
  const change = async (pair: KnownPair, call: string, granted: boolean, { user_reference, fields, text_version }: Consent) => {
    const columns = granted ? [fields, text_version] : [undefined, undefined];
    await db.query({ ...record, values: [pair.clientId, pair.appId, user_reference, granted, ...columns, call] });
    return { is_consented: granted };
  };
  const path = '/api/v1/accounts/consent';
  app.get<{ Querystring: Consent }>(`${path}/get_consent/`, { schema: { querystring: object(ids) } }, async (request, reply) => {
    allowBrowsers(reply);
    const { clientId, appId } = pairs.require(request.query);
    const { rows } = await db.query<{ granted: boolean }>({ ...read, values: [clientId, appId, request.query.user_reference] });
    return { is_consented: rows[0]?.granted ?? false };
  });
  app.post<{ Body: Consent }>(`${path}/save_consent/`, { schema: { body: saved } }, async (request) => {
    const pair = pairs.require(request.body);
    requireBasic(pair.expectedOfHost, request);
    return change(pair, 'save_consent', true, request.body);
  });
  app.post<{ Body: Consent }>(`${path}/revoke/`, { schema: { body: object(ids) } }, async (request) => {
    const pair = pairs.require(request.body);
    requireBasic(pair.expectedOfHost, request);
    return change(pair, 'revoke', false, request.body);
  });
}
