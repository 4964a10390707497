import { JsonObject } from '../domain/shared/json';
import type { Change } from './changes';
import type { ConformanceContext } from './context';
import type { CallInput, Draft, Outcome, Requests, Transport } from './ports';
import { jsonOf, requireAnswer, requireHarmless, requireRefusal, shortOf } from './outcome-checks';
import { Unmet } from './verdict';

/** How one request differs from a valid one. */
export interface Twist {
  /** A change before signing: the credentials match the sent body. */
  readonly before?: Change;
  /** A change after signing: the credentials do not match. */
  readonly after?: Change;
  /** Signs with the secrets and keys of a stranger. */
  readonly asStranger?: boolean;
  /** Sends the body in this many pieces. */
  readonly pieces?: number;
}

interface Deps {
  readonly context: ConformanceContext;
  readonly requests: Requests;
  readonly transport: Transport;
}

/** The tools of a scenario: sends requests, checks answers and records them. */
export class Bench {
  readonly context: ConformanceContext;
  readonly requests: Requests;
  readonly came: string[] = [];
  private answers = 0;

  constructor(private readonly deps: Deps) {
    this.context = deps.context;
    this.requests = deps.requests;
  }

  /** Builds a request like the service's own, with its twist. */
  async prepare(call: CallInput, { before, after, asStranger = false }: Twist = {}): Promise<Draft> {
    const plain = await this.deps.requests.draft(call);
    const draft = before ? before(plain) : plain;
    const proof = await this.deps.requests.prove(call, draft, asStranger ? 'stranger' : 'platform');
    const ready = { ...draft, headers: { ...draft.headers, ...proof } };
    return after ? after(ready) : ready;
  }

  async send(call: CallInput, twist: Twist = {}): Promise<Outcome> {
    const draft = await this.prepare(call, twist);
    return this.put(draft, this.context.deadlineMs(call.kind), twist.pieces);
  }

  /** Sends a request that the service itself would never send. */
  async put(draft: Draft, deadlineMs: number, pieces?: number): Promise<Outcome> {
    const outcome = await this.deps.transport.send(draft, { deadlineMs, pieces });
    this.note(draft, outcome);
    return outcome;
  }

  /** Sends the requests one after the other over one connection. */
  async sendInRow(call: CallInput, drafts: readonly Draft[]): Promise<readonly Outcome[]> {
    const outcomes = await this.deps.transport.sendInRow(drafts, { deadlineMs: this.context.deadlineMs(call.kind) });
    for (const [i, outcome] of outcomes.entries()) this.note(drafts[i], outcome);
    return outcomes;
  }

  /** Sends a call and requires an answer that the service accepts. Resolves to its JSON, or to an empty object without one. */
  async accepted(call: CallInput, twist: Twist = {}): Promise<JsonObject> {
    return this.requireTaken(call, await this.send(call, twist));
  }

  async requireTaken(call: CallInput, outcome: Outcome): Promise<JsonObject> {
    requireAnswer(outcome);
    const problem = await this.deps.requests.problem(call, outcome);
    if (problem !== undefined) throw new Unmet(`answered ${shortOf(outcome)}: ${problem}`, strangerFix(outcome));
    return jsonOf(outcome) ?? new JsonObject(new Map());
  }

  /** Sends a call and requires a refusal: a 4xx, or an `error_code` with 200. */
  async refused(call: CallInput, twist: Twist = {}): Promise<Outcome> {
    const outcome = await this.send(call, twist);
    requireRefusal(outcome);
    return outcome;
  }

  /** Sends a call and requires any answer except a server error or a redirect. */
  async survived(call: CallInput, twist: Twist = {}): Promise<Outcome> {
    const outcome = await this.send(call, twist);
    requireHarmless(outcome);
    return outcome;
  }

  /** Whether calls were made and none was answered. */
  get metSilence(): boolean {
    return this.came.length > 0 && this.answers === 0;
  }

  private note(draft: Draft | undefined, outcome: Outcome): void {
    if (!draft) return;
    if (outcome.silence === undefined) this.answers += 1;
    const { pathname } = new URL(draft.url);
    this.came.push(`${draft.method} ${pathname} → ${outcome.silence ?? shortOf(outcome)}, ${String(Math.round(outcome.ms))} ms`);
  }
}

/** A good call was refused for its credentials: that must be fixed first, whatever the scenario tests. */
const strangerFix = ({ status }: Outcome): string | undefined =>
  status === 401 || status === 403
    ? 'A good call was refused: compare the ids, the secret or key and the signature settings of both sides, then look at what is checked.'
    : undefined;
