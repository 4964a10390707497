import { readFileSync } from 'node:fs';
import type { BenchDatabase } from '../bench-database';
import { operatorToken, type BenchService } from '../bench-service';
import { median, printLine } from '../round';
import type { ListPlan } from './list-plans';

/** What one call of a list takes. */
export interface ListCost extends Pick<ListPlan, 'list' | 'what' | 'who'> {
  readonly rows: number;
  readonly statements: number;
  /** Milliseconds of processor time of the service, and of its database sessions. */
  readonly serviceMs: number;
  readonly databaseMs: number;
}

const calls = 10;
/** Before the first list, so that what all lists share is as quick as it gets. */
const warmUpCalls = 200;
/** One that takes long is called so many times. */
const fewCalls = 2;
const longMs = 100;
const rounds = 3;

interface ListContext {
  readonly service: BenchService;
  readonly database: BenchDatabase;
  readonly probeUrl: string;
}

interface Reading {
  readonly statements: number;
  readonly cpuMs: number;
  readonly databaseMs: number;
}

/** Calls each list until its code and its plans are warm, then counts what calls of it take. Throws where one is answered with neither 200 nor 503. */
export async function measureLists(context: ListContext, plans: readonly ListPlan[]): Promise<ListCost[]> {
  const costs: ListCost[] = [];
  const [first] = plans;
  if (first) for (let n = 0; n < warmUpCalls; n++) await callOf(context.service, first)();
  for (const plan of plans) {
    const cost = await costOf(context, plan);
    const { serviceMs, databaseMs, statements } = cost;
    const total = (serviceMs + databaseMs).toFixed(1);
    printLine(
      `${plan.list}, ${plan.who}, ${plan.what}: ${cost.rows} rows, ${statements} statements, ${total} ms (database ${databaseMs.toFixed(1)})`,
    );
    costs.push(cost);
  }
  return costs;
}

/** The service's own time limit ended a statement. */
class NoAnswer extends Error {}

/** A list without an answer takes an infinite time. */
async function costOf(context: ListContext, plan: ListPlan): Promise<ListCost> {
  try {
    return await answeredCostOf(context, plan);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { list: plan.list, what: plan.what, who: plan.who, rows: 0, statements: 0, serviceMs: 0, databaseMs: Infinity };
  }
}

async function answeredCostOf(context: ListContext, plan: ListPlan): Promise<ListCost> {
  const call = callOf(context.service, plan);
  const startedAt = performance.now();
  const rows = await call();
  const count = performance.now() - startedAt > longMs ? fewCalls : calls;
  for (let n = 0; n < count / 2; n++) await call();
  const found: Reading[] = [];
  for (let round = 0; round < rounds; round++) found.push(await perCall(context, call, count));
  return {
    ...{ list: plan.list, what: plan.what, who: plan.who, rows },
    // What the service does besides counts in the others.
    statements: Math.floor(Math.min(...found.map(({ statements }) => statements))),
    serviceMs: median(found.map(({ cpuMs }) => cpuMs)),
    databaseMs: median(found.map(({ databaseMs }) => databaseMs)),
  };
}

async function perCall(context: ListContext, call: () => Promise<number>, count: number): Promise<Reading> {
  const before = await reading(context);
  for (let n = 0; n < count; n++) await call();
  const after = await reading(context);
  return {
    statements: (after.statements - before.statements) / count,
    cpuMs: (after.cpuMs - before.cpuMs) / count,
    databaseMs: (after.databaseMs - before.databaseMs) / count,
  };
}

async function reading({ database, probeUrl }: ListContext): Promise<Reading> {
  const own = (await (await fetch(probeUrl)).json()) as Pick<Reading, 'statements' | 'cpuMs'>;
  const sessions = await database.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return { ...own, databaseMs: sessions.reduce((sum, { pid }) => sum + scheduledMs(pid), 0) };
}

/** Milliseconds that a process of one thread has run (Linux, schedstat); 0 for one that is gone. */
function scheduledMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** Resolves to the number of rows. */
function callOf({ url }: BenchService, { list, query, token }: ListPlan): () => Promise<number> {
  const headers: Record<string, string> =
    token === undefined ? { authorization: `Bearer ${operatorToken}` } : { cookie: `__Host-pierhead=${token}`, 'x-unattended': '1' };
  const target = `${url}/manage/v1/${list}?${new URLSearchParams(query).toString()}`;
  return async () => {
    const answer = await fetch(target, { headers });
    const text = await answer.text();
    if (answer.status === 503) throw new NoAnswer(target);
    if (answer.status !== 200) throw new Error(`${target}: ${answer.status} ${text}`);
    return (JSON.parse(text) as { data: unknown[] }).data.length;
  };
}
