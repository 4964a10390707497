import { text, time, type Members } from '../../adapters/dto/schema';

// Query parameters with the same meaning in every list.

export const pairFilters: Members = {
  client_id: [text, 'Only what belongs to the host app with this Client ID.'],
  app_id: [text, 'Only what belongs to the miniapp with this App ID.'],
};

/** A time range that includes its start and excludes its end. */
export const rangeFilters: Members = {
  from: [time, 'Start of the range, RFC 3339 with an offset; it belongs to the range.'],
  to: [time, 'End of the range, RFC 3339 with an offset; it does not belong to the range.'],
};

/** Parameters of queries about a single integration. */
export const bothPartners: Members = {
  'client_id!': [text, 'Client ID of the host app of the integration.'],
  'app_id!': [text, 'App ID of the miniapp of the integration.'],
};
