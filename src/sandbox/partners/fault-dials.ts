import type { RequestHandler } from 'express';
import { JsonNumber, type Json, type JsonObject } from '../../domain/shared/json';
import { bodyOf } from '../read-body';
import { Refusal } from './refusal';

/** Faults that a sandbox partner shows to the service; all 0 disables them. */
export interface Dials {
  /** Delay before any other processing, in milliseconds; 60000 at most. */
  readonly delay_ms: number;
  /** Percentage of calls answered with 500. */
  readonly error_percent: number;
  /** Percentage of calls answered with 200 and truncated JSON. */
  readonly malformed_percent: number;
  /** Percentage of calls answered with 401, whatever the credentials. */
  readonly refused_percent: number;
  /** Percentage of calls that never get an answer: the caller has to time out. */
  readonly hang_percent: number;
  /** With a seed, the same calls get the same faults in the same order each time that the settings are set. */
  readonly seed?: number;
}

const longestDelayMs = 60_000;
const largestSeed = 4_294_967_295;
const faults = ['error_percent', 'malformed_percent', 'refused_percent', 'hang_percent'] as const;
type Fault = (typeof faults)[number];

const noFaults: Dials = { delay_ms: 0, error_percent: 0, malformed_percent: 0, refused_percent: 0, hang_percent: 0 };

/** The fault settings of one sandbox partner. */
export class FaultDials {
  private dials = noFaults;
  private chance: () => number = Math.random;

  readonly show: RequestHandler = (_request, response) => {
    response.json(this.dials);
  };

  /** Replaces all settings; absent members become 0. */
  readonly set: RequestHandler = (request, response) => {
    this.turn(readDials(bodyOf(request)));
    response.json(this.dials);
  };

  reset(): void {
    this.turn(noFaults);
  }

  /** Applies to the endpoints that the service calls, and to no others. */
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

  /** Chooses the fault of a call. It is drawn on arrival, so that a delay does not change the order. */
  private rolled(): Fault | undefined {
    let below = this.chance() * 100;
    return faults.find((fault) => (below -= this.dials[fault]) < 0);
  }
}

/** Throws INVALID_INPUT with the problem of every member. */
function readDials(body: JsonObject): Dials {
  const problems: string[] = [];
  const number = (name: string, { max, whole = false }: { max: number; whole?: boolean }): number => {
    const value = numberIn(body.get(name) ?? new JsonNumber('0'));
    if (value >= 0 && value <= max && (!whole || Number.isInteger(value))) return value;
    problems.push(`${name}: must be a ${whole ? 'whole ' : ''}number from 0 to ${String(max)}`);
    return 0;
  };
  const known = ['delay_ms', ...faults, 'seed'];
  for (const name of body.members.keys()) if (!known.includes(name)) problems.push(`${name}: is no dial (${known.join(', ')})`);
  const delay = number('delay_ms', { max: longestDelayMs, whole: true });
  const percents = faults.map((fault) => [fault, number(fault, { max: 100 })] as const);
  const seed = body.get('seed') === undefined ? {} : { seed: number('seed', { max: largestSeed, whole: true }) };
  const sum = percents.reduce((all, [, percent]) => all + percent, 0);
  if (sum > 100) problems.push(`the percentages add up to ${String(sum)}: together they may be 100 at most`);
  if (problems.length > 0) throw new Refusal(400, 'INVALID_INPUT', problems.join('; '));
  return { ...noFaults, delay_ms: delay, ...Object.fromEntries(percents), ...seed };
}

const numberIn = (value: Json): number => (value instanceof JsonNumber ? Number(value.text) : Number.NaN);

/** Pseudo-random numbers from 0 (inclusive) to 1 (exclusive), reproducible by seed (mulberry32). */
function seededChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
