import type { RequestHandler } from 'express';
import { JsonNumber, type Json, type JsonObject } from '../domain/shared/json';
import { bodyOf } from './read-body';
import { Refusal } from './refusal';

/** How a sandbox partner misbehaves toward the service; all 0: not at all. */
export interface Dials {
  /** Before anything else happens, in milliseconds; 60000 at most. */
  readonly delay_ms: number;
  /** Of a hundred calls so many are answered with 500. */
  readonly error_percent: number;
  /** … with 200 and JSON that breaks off. */
  readonly malformed_percent: number;
  /** … with 401, whatever the credentials. */
  readonly refused_percent: number;
  /** … never: the caller has to give up. */
  readonly hang_percent: number;
  /** Given: the same calls meet the same faults in the same order, after each time that the dials are set. */
  readonly seed?: number;
}

const longestDelayMs = 60_000;
const largestSeed = 4_294_967_295;
const faults = ['error_percent', 'malformed_percent', 'refused_percent', 'hang_percent'] as const;
type Fault = (typeof faults)[number];

const noFaults: Dials = { delay_ms: 0, error_percent: 0, malformed_percent: 0, refused_percent: 0, hang_percent: 0 };

/** The fault dials of one sandbox partner. */
export class FaultDials {
  private dials = noFaults;
  private chance: () => number = Math.random;

  readonly show: RequestHandler = (_request, response) => {
    response.json(this.dials);
  };

  /** The body replaces all dials: what it does not name is 0. */
  readonly set: RequestHandler = (request, response) => {
    this.turn(readDials(bodyOf(request)));
    response.json(this.dials);
  };

  reset(): void {
    this.turn(noFaults);
  }

  /** Stands before the endpoints that the service calls, and before no other. */
  readonly apply: RequestHandler = (_request, response, next) => {
    const fault = this.rolled();
    const { delay_ms: delay } = this.dials;
    const go = (): void => {
      if (fault === undefined) next();
      else if (fault === 'error_percent') next(new Refusal(500, 'UNKNOWN_ERROR', 'The error dial of the sandbox partner'));
      else if (fault === 'refused_percent') next(new Refusal(401, 'ACCESS_DENIED', 'The refusal dial of the sandbox partner'));
      else if (fault === 'malformed_percent') response.type('application/json').send('{"sandbox":"the malformed dial');
    };
    if (delay === 0) {
      go();
      return;
    }
    const timer = setTimeout(go, delay).unref();
    response.once('close', () => {
      clearTimeout(timer);
    });
  };

  private turn(dials: Dials): void {
    this.dials = dials;
    this.chance = dials.seed === undefined ? Math.random : seededChance(dials.seed);
  }

  /** Which fault a call meets; rolled as it comes in, so that a delay changes no order. */
  private rolled(): Fault | undefined {
    let below = this.chance() * 100;
    return faults.find((fault) => (below -= this.dials[fault]) < 0);
  }
}

/** Throws INVALID_INPUT, with the problem of every member. */
function readDials(body: JsonObject): Dials {
  const problems: string[] = [];
  const number = (name: string, { most, whole = false }: { most: number; whole?: boolean }): number => {
    const value = numberIn(body.get(name) ?? new JsonNumber('0'));
    if (value >= 0 && value <= most && (!whole || Number.isInteger(value))) return value;
    problems.push(`${name}: must be a ${whole ? 'whole ' : ''}number from 0 to ${String(most)}`);
    return 0;
  };
  const known = ['delay_ms', ...faults, 'seed'];
  for (const name of body.members.keys()) if (!known.includes(name)) problems.push(`${name}: is no dial (${known.join(', ')})`);
  const delay = number('delay_ms', { most: longestDelayMs, whole: true });
  const percents = faults.map((fault) => [fault, number(fault, { most: 100 })] as const);
  const seed = body.get('seed') === undefined ? {} : { seed: number('seed', { most: largestSeed, whole: true }) };
  const sum = percents.reduce((all, [, percent]) => all + percent, 0);
  if (sum > 100) problems.push(`the percentages add up to ${String(sum)}: together they may be 100 at most`);
  if (problems.length > 0) throw new Refusal(400, 'INVALID_INPUT', problems.join('; '));
  return { ...noFaults, delay_ms: delay, ...Object.fromEntries(percents), ...seed };
}

const numberIn = (value: Json): number => (value instanceof JsonNumber ? Number(value.text) : Number.NaN);

/** Numbers from 0 to 1, 1 not included, the same for the same seed (mulberry32). */
function seededChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
