/** The page's own back end refused. The code is the service's where the service refused. */
export class BackEndRefused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Calls the back end that served the page. Resolves to the JSON of its answer. Throws BackEndRefused. */
export async function callBackEnd<Answer>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Answer> {
  const sent = body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, { method, ...sent });
  const answer = (await response.json()) as Answer & { readonly error_code?: string; readonly error_message?: string };
  if (!response.ok) throw new BackEndRefused(answer.error_code ?? String(response.status), answer.error_message ?? 'No reason was given');
  return answer;
}
