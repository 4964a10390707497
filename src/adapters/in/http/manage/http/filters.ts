import { required, time, word } from './query';

// Query parameters with the same meaning in every call.

export const pairFilters = {
  client_id: word('Only what belongs to the host app with this Client ID.'),
  app_id: word('Only what belongs to the miniapp with this App ID.'),
};

/** A time range that includes its start and excludes its end. */
export const rangeFilters = {
  from: time('Start of the range, RFC 3339 with an offset; it belongs to the range.'),
  to: time('End of the range, RFC 3339 with an offset; it does not belong to the range.'),
};

/** For calls about a single integration. */
export const bothPartners = {
  client_id: required(word('Client ID of the host app of the integration.')),
  app_id: required(word('App ID of the miniapp of the integration.')),
};
