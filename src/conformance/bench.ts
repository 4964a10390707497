import { JsonObject } from '../domain/shared/json';
import type { Change } from './changes';
import type { Facts } from './facts';
import type { Asked, Draft, Outcome, Requests, Wire } from './ports';
import { jsonOf, requireAnswer, requireHarmless, requireRefusal, shortOf } from './judging';
import { Unmet } from './verdict';

/** How one request differs from a good one. */
export interface Twist {
  /** Changed before it is proven: the credentials fit the sent body. */
  readonly before?: Change;
  /** Changed afterwards: they do not. */
  readonly after?: Change;
  /** Proven with secrets and keys of somebody else. */
  readonly asStranger?: boolean;
  /** The body leaves in so many pieces. */
  readonly pieces?: number;
}

interface Deps {
  readonly facts: Facts;
  readonly requests: Requests;
  readonly wire: Wire;
}

/** What a scenario works with: it sends, judges, and notes what came. */
export class Bench {
  readonly facts: Facts;
  readonly requests: Requests;
  readonly came: string[] = [];
  private answers = 0;

  constructor(private readonly deps: Deps) {
    this.facts = deps.facts;
    this.requests = deps.requests;
  }

  /** A request as the service sends it, with its twist. */
  async prepare(asked: Asked, { before, after, asStranger = false }: Twist = {}): Promise<Draft> {
    const plain = this.deps.requests.draft(asked);
    const draft = before ? before(plain) : plain;
    const proof = await this.deps.requests.prove(asked, draft, asStranger ? 'stranger' : 'platform');
    const ready = { ...draft, headers: { ...draft.headers, ...proof } };
    return after ? after(ready) : ready;
  }

  async ask(asked: Asked, twist: Twist = {}): Promise<Outcome> {
    const draft = await this.prepare(asked, twist);
    return this.put(draft, this.facts.deadlineMs(asked.kind), twist.pieces);
  }

  /** Sends a request that is none of the service's. */
  async put(draft: Draft, deadlineMs: number, pieces?: number): Promise<Outcome> {
    const outcome = await this.deps.wire.send(draft, { deadlineMs, pieces });
    this.note(draft, outcome);
    return outcome;
  }

  /** Over one connection, one after the other. */
  async askInRow(asked: Asked, drafts: readonly Draft[]): Promise<readonly Outcome[]> {
    const outcomes = await this.deps.wire.sendInRow(drafts, { deadlineMs: this.facts.deadlineMs(asked.kind) });
    for (const [i, outcome] of outcomes.entries()) this.note(drafts[i], outcome);
    return outcomes;
  }

  /** The answer is one that the service takes; answers with its JSON, empty where there is none. */
  async accepted(asked: Asked, twist: Twist = {}): Promise<JsonObject> {
    return this.requireTaken(asked, await this.ask(asked, twist));
  }

  requireTaken(asked: Asked, outcome: Outcome): JsonObject {
    requireAnswer(outcome);
    const problem = this.deps.requests.problem(asked, outcome);
    if (problem !== undefined) throw new Unmet(`answered ${shortOf(outcome)}: ${problem}`, strangerFix(outcome));
    return jsonOf(outcome) ?? new JsonObject(new Map());
  }

  /** The call is refused: by 4xx, or by an `error_code` under 200. */
  async refused(asked: Asked, twist: Twist = {}): Promise<Outcome> {
    const outcome = await this.ask(asked, twist);
    requireRefusal(outcome);
    return outcome;
  }

  /** Taken or refused, but not a fault, not a redirect and not a silence. */
  async survived(asked: Asked, twist: Twist = {}): Promise<Outcome> {
    const outcome = await this.ask(asked, twist);
    requireHarmless(outcome);
    return outcome;
  }

  /** Whether calls were made, and not one was answered. */
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

/** Whoever refuses a good call for its credentials has to look there first, whatever was tried. */
const strangerFix = ({ status }: Outcome): string | undefined =>
  status === 401 || status === 403
    ? 'A good call was refused: compare the ids, the secret or key and the signature settings of both sides, then look at what is checked.'
    : undefined;
