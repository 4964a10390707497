import { setTimeout as pause } from 'node:timers/promises';
import { memberOf } from './read-body';

/** The manage API gave an answer that the setup cannot continue with. The message contains the call, the status and the reason. */
export class ManageCallFailed extends Error {}

/** An answer of the manage API. */
export interface ManageAnswer {
  readonly status: number;
  /** The JSON of the answer; `undefined` when there is none. */
  readonly body: unknown;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const deadlineMs = 10_000;
/** Retries after 503, such as from a busy database. */
const putOff = { maxRetries: 20, afterMs: 500 } as const;

/** Calls the manage API as the operator. */
export class ManageCalls {
  constructor(
    private readonly at: { readonly serviceUrl: string; readonly operatorToken: string },
    private readonly wait: (ms: number) => Promise<unknown> = pause,
  ) {}

  /**
   * Retries a 503, which means that nothing was done, for ten seconds. Throws ManageCallFailed for a status that is not among `accepted`.
   */
  async send(method: Method, path: string, accepted: readonly number[], body?: object): Promise<ManageAnswer> {
    let answer = await this.sendOnce(method, path, body);
    for (let again = 0; again < putOff.maxRetries && answer.status === 503 && !accepted.includes(503); again++) {
      await this.wait(putOff.afterMs);
      answer = await this.sendOnce(method, path, body);
    }
    if (!accepted.includes(answer.status)) throw new ManageCallFailed(`${method} ${path}: ${reasonOf(answer)}`);
    return answer;
  }

  private async sendOnce(method: Method, path: string, body?: object): Promise<ManageAnswer> {
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

/** Title and detail of the problem document (RFC 9457), which contain no secrets. */
function reasonOf({ status, body }: ManageAnswer): string {
  const words = [memberOf(body, 'title'), memberOf(body, 'detail')].filter((word) => typeof word === 'string');
  const problems = memberOf(body, 'errors');
  return [String(status), ...words, ...(problems === undefined ? [] : [JSON.stringify(problems)])].join(' ');
}
