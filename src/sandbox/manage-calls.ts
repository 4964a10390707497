import { memberOf } from './read-body';

/** The manage API answered otherwise than the set-up can go on with. The message names the call, the status and the reason. */
export class ManageCallFailed extends Error {}

/** What the manage API answered. */
export interface ManageAnswer {
  readonly status: number;
  /** The JSON of the answer; `undefined` where there is none. */
  readonly body: unknown;
}

const deadlineMs = 10_000;

/** Calls the manage API as the operator. */
export class ManageCalls {
  constructor(private readonly at: { readonly serviceUrl: string; readonly operatorToken: string }) {}

  /** Throws ManageCallFailed for a status that is not among `accepted`. */
  async send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, accepted: readonly number[], body?: object) {
    const headers = { Authorization: `Bearer ${this.at.operatorToken}`, ...(body ? { 'Content-Type': typeOf(method) } : {}) };
    const sent = body ? { body: JSON.stringify(body) } : {};
    const response = await fetch(`${this.at.serviceUrl}/manage/v1/${path}`, {
      ...sent,
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
    });
    const answer: ManageAnswer = { status: response.status, body: readJson(await response.text()) };
    if (!accepted.includes(answer.status)) throw new ManageCallFailed(`${method} ${path}: ${reasonOf(answer)}`);
    return answer;
  }
}

const typeOf = (method: string): string => (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON: the status alone has to do
  }
}

/** The problem's own words (RFC 9457), which quote no secret. */
function reasonOf({ status, body }: ManageAnswer): string {
  const words = [memberOf(body, 'title'), memberOf(body, 'detail')].filter((word) => typeof word === 'string');
  const problems = memberOf(body, 'errors');
  return [String(status), ...words, ...(problems === undefined ? [] : [JSON.stringify(problems)])].join(' ');
}
