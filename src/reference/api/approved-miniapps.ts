import type { Operation } from '../description';
import { list, members, orNull, text, uri, whole } from '../schema';
import { always, rateHeaders } from './api-refusals';

const id = { ...text, pattern: '^[A-Za-z0-9._-]{1,64}$' };

/** The public list of miniapps, which belongs to no integration. Source: contract/miniapps#public-list. */
export const approvedMiniapps: Operation = {
  at: 'GET /partner/miniapps/approved_miniapps/',
  id: 'listApprovedMiniapps',
  tag: 'Sign-on',
  summary: 'List the miniapps that a host app may open',
  description:
    'A page in a browser calls. Miniapps with an accepted integration, by App ID; none of an unknown host app, or of one with `public_miniapp_list` off. An integration with `listed` off is left out. `Link` names the next page (RFC 8288).',
  query: { 'client_id!': id, limit: { ...whole, minimum: 1, maximum: 500, description: 'Miniapps on a page; 500.' }, cursor: id },
  headers: { 'X-Request-Id': text, traceparent: text },
  gives: {
    200: {
      says: 'The miniapps.',
      schema: list(members({ id: whole, app_id: text, name: text, long_description: text, logo: orNull(uri), category: orNull(text) })),
      headers: { ...always(rateHeaders), Link: { ...text, description: 'The next page; absent: there is none.' } },
      example: [
        {
          ...{ id: 4503599627370495, app_id: 'app_abc123', name: 'Harbour ferries' },
          ...{ long_description: 'Tickets for every ferry.', logo: null, category: 'Travel' },
        },
      ],
    },
    304: { says: 'Nothing has changed since the `ETag` that was sent.', headers: always(rateHeaders) },
  },
  refusals: { 400: ['INVALID_INPUT'], 429: ['RATE_LIMITED'], 500: ['UNKNOWN_ERROR'], 503: ['SERVICE_UNAVAILABLE'] },
  refusalHeaders: rateHeaders,
  security: [[]],
};
