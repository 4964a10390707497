import { setTimeout as pause } from 'node:timers/promises';
import { memberOf } from './read-body';

/** The manage API answered otherwise than the set-up can go on with. The message names the call, the status and the reason. */
export class ManageCallFailed extends Error {}

/** What the manage API answered. */
export interface ManageAnswer {
  readonly status: number;
  /** The JSON of the answer; `undefined` where there is none. */
  readonly body: unknown;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const deadlineMs = 10_000;
/** A call that is put off, as by a database that is busy, is sent again: so often, and after so many milliseconds. */
const putOff = { most: 20, afterMs: 500 } as const;

/** Calls the manage API as the operator. */
export class ManageCalls {
  constructor(
    private readonly at: { readonly serviceUrl: string; readonly operatorToken: string },
    private readonly wait: (ms: number) => Promise<unknown> = pause,
  ) {}

  /**
   * An answer of 503, by which nothing was done, is asked for again for ten seconds.
   * Throws ManageCallFailed for a status that is not among `accepted`.
   */
  async send(method: Method, path: string, accepted: readonly number[], body?: object): Promise<ManageAnswer> {
    let answer = await this.ask(method, path, body);
    for (let again = 0; again < putOff.most && answer.status === 503 && !accepted.includes(503); again++) {
      await this.wait(putOff.afterMs);
      answer = await this.ask(method, path, body);
    }
    if (!accepted.includes(answer.status)) throw new ManageCallFailed(`${method} ${path}: ${reasonOf(answer)}`);
    return answer;
  }

  private async ask(method: Method, path: string, body?: object): Promise<ManageAnswer> {
    const headers = { Authorization: `Bearer ${this.at.operatorToken}`, ...(body ? { 'Content-Type': typeOf(method) } : {}) };
    const sent = body ? { body: JSON.stringify(body) } : {};
    const response = await fetch(`${this.at.serviceUrl}/manage/v1/${path}`, {
      ...sent,
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
    });
    return { status: response.status, body: readJson(await response.text()) };
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
