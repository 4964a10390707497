import type { Operation } from '../description';
import { list, members, orNull, text, uri, whole } from '../../adapters/dto/schema';
import { appId, clientId } from '../../adapters/dto/shared-members';
import { traceHeaders } from './api-headers';
import { always, rateHeaders } from './api-refusals';

const id = { ...text, pattern: '^[A-Za-z0-9._-]{1,64}$' };

const listed = members({
  id: [whole, 'Random number below 2^53 that stays the same for the miniapp.'],
  app_id: appId,
  name: [text, 'Name of the miniapp that users see.'],
  long_description: [text, 'What the miniapp offers, for people who choose from the list; empty where it says nothing.'],
  logo: [orNull(uri), 'Address of a picture of the miniapp; null where it has none.'],
  category: [orNull(text), 'Heading under which the miniapp wants to stand, such as `Travel`; null for none.'],
});

/** The public list of miniapps, which is independent of integrations. Source: contract/miniapps#public-list. */
export const approvedMiniapps: Operation = {
  at: 'GET /partner/miniapps/approved_miniapps/',
  id: 'listApprovedMiniapps',
  tag: 'Sign-on',
  summary: 'List the miniapps that a host app may open',
  description:
    'A page in a browser calls. Miniapps with an accepted integration, by App ID; none of an unknown host app, or of one with `public_miniapp_list` off. An integration with `listed` off is left out. `Link` names the next page (RFC 8288).',
  query: {
    'client_id!': [id, clientId[1]],
    limit: [{ ...whole, minimum: 1, maximum: 500, default: 500 }, 'Most miniapps that the page may hold.'],
    cursor: [id, 'App ID with which the page before ended; absent: the first page.'],
  },
  headers: traceHeaders,
  gives: {
    200: {
      description: 'The miniapps that the host app may open, by App ID.',
      schema: list(listed),
      headers: { ...always(rateHeaders), Link: [text, 'Address of the next page with `rel="next"` (RFC 8288); absent on the last one.'] },
      example: [
        {
          ...{ id: 4503599627370495, app_id: 'app_abc123', name: 'Harbour ferries' },
          ...{ long_description: 'Tickets for every ferry.', logo: null, category: 'Travel' },
        },
      ],
    },
    304: { description: 'Nothing has changed since the `ETag` that was sent.', headers: always(rateHeaders) },
  },
  refusals: { 400: ['INVALID_INPUT'], 429: ['RATE_LIMITED'], 500: ['UNKNOWN_ERROR'], 503: ['SERVICE_UNAVAILABLE'] },
  refusalHeaders: rateHeaders,
  security: [[]],
};
