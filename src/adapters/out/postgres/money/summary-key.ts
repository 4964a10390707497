/** The key of a line of the sums: its day (`YYYY-MM-DD`), host app, miniapp, currency and status. */
export type SummaryKey = readonly [day: string, clientId: string, appId: string, currency: string, status: string];

/** Encodes the key of a line as its id. */
export const summaryId = (key: SummaryKey): string => Buffer.from(JSON.stringify(key), 'utf8').toString('base64url');

/** Decodes an id of `summaryId`; `undefined` for any other text. */
export function summaryKeyIn(id: string): SummaryKey | undefined {
  const parts = partsIn(id);
  if (!Array.isArray(parts) || parts.length !== 5 || !parts.every((part) => typeof part === 'string')) return undefined;
  const key = parts as unknown as SummaryKey;
  return /^\d{4}-\d\d-\d\d$/.test(key[0]) && !Number.isNaN(Date.parse(key[0])) && !key.some((part) => part.includes('\0'))
    ? key
    : undefined;
}

function partsIn(id: string): unknown {
  try {
    return JSON.parse(Buffer.from(id, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
