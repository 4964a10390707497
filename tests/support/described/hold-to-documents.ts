import { appendFileSync } from 'node:fs';
import { testRun } from '../test-run';
import { DescribedCalls, type RecordedCall } from './described-calls';

const calls = new DescribedCalls();
const reported = new Set<string>();

/** Throws Error where a call and its answer are not as the OpenAPI documents say. Notes which operations have succeeded. */
export function holdToDocuments(call: RecordedCall): void {
  const { operation, problems } = calls.check(call);
  if (problems.length > 0)
    throw new Error(
      `${call.method} ${call.target} was answered ${call.status}, and not as docs/reference/openapi says:\n  ${problems.join('\n  ')}`,
    );
  if (operation === undefined || call.status >= 300 || reported.has(operation)) return;
  reported.add(operation);
  appendFileSync(testRun.operationsSeen(), `${operation}\n`);
}

/** As fetch, with the answer's text; the answer is held to the documents. */
export async function describedFetch(
  url: string,
  init: Omit<RequestInit, 'body'> & { readonly body?: string | Uint8Array } = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  // A stream need not end.
  const text = headers.get('Content-Type')?.startsWith('text/event-stream') === true ? '' : await response.text();
  const { pathname, search } = new URL(url);
  const sent = typeof init.body === 'string' ? init.body : undefined;
  holdToDocuments({ method: init.method ?? 'GET', target: pathname + search, sent, status, headers, text });
  return { status, headers, text };
}
