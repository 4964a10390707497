/** An answer of a sandbox partner, read whole. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

/** Calls as the service would; headers given as `undefined` are left out. */
export async function call(
  url: string,
  options: { method?: string; headers?: Record<string, string | undefined>; body?: string | object } = {},
): Promise<Answer> {
  const { body, method = body === undefined ? 'GET' : 'POST' } = options;
  const given = Object.entries<string | undefined>({ 'Content-Type': 'application/json', ...options.headers });
  const headers = Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined));
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const response = await fetch(url, { method, headers, ...sent });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.status, text, json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

/** An Authorization value. */
export const basic = (user: string, secret: string): string => `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
