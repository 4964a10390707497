import { memberOf } from '../../sandbox/read-body';

/** Calls a simulated partner. Throws with the partner's message when it refuses, and when nobody answers. */
export async function callSandbox(url: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<unknown> {
  const sent = body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url + path, { method, redirect: 'error', ...sent }).catch((error: unknown) => {
    throw new Error(`No simulated partner answers at ${url}; npm start starts them in development`, { cause: error });
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const message = memberOf(answer, 'error_message');
  throw new Error(typeof message === 'string' ? message : `${url}${path} answered ${String(response.status)}`);
}
