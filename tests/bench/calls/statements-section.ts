import { setTimeout as pause } from 'node:timers/promises';
import type { BenchOptions } from '../bench-options';
import { BenchDatabase } from '../bench-database';
import type { CallPlan } from './call-plan';
import { callPlans } from './call-plans';
import type { Sections, StatementCount } from '../page/figures';
import { printLine } from '../round';
import { Stage, type Surroundings } from '../stage';
import { StatementCounter } from './statement-counter';

/** Calls that are counted, one after the other and over all connections. */
const [alone, together] = [200, 2000];
/** Statements after the answers. */
const settleMs = 500;
/** Long enough for the statements that the service sends by itself. */
const idleMs = 1500;

/** How many statements each call sends to the database, by a counter between the service and its database. */
export async function measureStatements(context: Surroundings, options: BenchOptions): Promise<Sections['statements']> {
  const [build = ''] = options.builds;
  const database = await BenchDatabase.open('statements');
  const counter = await StatementCounter.open(database.url);
  try {
    const stage = await Stage.on(context, build, { database, url: counter.url });
    try {
      return { of: await countAll(stage, counter, options) };
    } finally {
      await stage.service.stop();
    }
  } finally {
    await counter.close();
    await database.close();
  }
}

async function countAll(stage: Stage, counter: StatementCounter, options: BenchOptions): Promise<Record<string, StatementCount>> {
  const found: Record<string, StatementCount> = {};
  for (const plan of callPlans(stage)) {
    const few = await countOf(stage, counter, { plan, calls: alone, connections: 1 });
    const many = await countOf(stage, counter, { plan, calls: together, connections: plan.connections ?? options.connections });
    printLine(`${plan.name}: ${few.toFixed(2)} statements one after the other, ${many.toFixed(2)} at once`);
    found[plan.name] = { alone: few, together: many };
  }
  return found;
}

interface Counted {
  readonly plan: CallPlan;
  readonly calls: number;
  readonly connections: number;
}

/** The statements of one call; what the service sent by itself right before is taken off for as long as the calls take. */
async function countOf({ context, url }: Stage, counter: StatementCounter, { plan, calls, connections }: Counted): Promise<number> {
  const prepared = await plan.prepare(calls);
  const requests = Array.from({ length: calls }, (_, n) => prepared[n % prepared.length]!);
  await plan.begin?.();
  await pause(settleMs);
  const idle = counter.count;
  await pause(idleMs);
  const [before, startedAt] = [counter.count, performance.now()];
  await context.driver.run({ url, requests, connections, once: true });
  await plan.afterwards?.(calls);
  await pause(settleMs);
  const ownStatements = ((before - idle) / idleMs) * (performance.now() - startedAt);
  return Math.max(0, counter.count - before - ownStatements) / calls;
}
