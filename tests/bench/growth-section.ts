import { setTimeout as pause } from 'node:timers/promises';
import type { BenchDatabase } from './bench-database';
import type { BenchOptions } from './bench-options';
import { features, managing } from './bench-partners';
import type { Sections } from './page/figures';
import { authorizations, connects, creations, users, type PreparedRequest } from './calls/prepared-calls';
import { measureSteady, median, overRounds, printLine, type Loaded, type Round } from './round';
import { Stage, type Surroundings } from './stage';

type Rows = Readonly<Record<'partners' | 'users' | 'payments' | 'exchanges', number>>;

const sizes: Readonly<Record<'small' | 'on', Rows>> = {
  small: { partners: 500, users: 50_000, payments: 50_000, exchanges: 200_000 },
  on: { partners: 10_000, users: 1_000_000, payments: 1_000_000, exchanges: 10_000_000 },
};

const connections = 64;
/** Of each process, before its turns: less than it takes until its code is as good as it gets would favour the one that has two loads. */
const warmUpS = 12;
/** Of a turn, and of the time before it. The pace of a machine that others share drifts within seconds: compared runs must lie close together. */
const turnS = 1;
const atOnce = 4;
const rowsAtOnce = 250_000;
/** Everything lies within the retention time. */
const days = 25;

const kinds = ['empty', 'grown', 'spread'] as const;
type Kind = (typeof kinds)[number];
type Turn = Readonly<Record<Kind, readonly Round[]>>;
/**
 * The two processes in turn, each for as long and idle for as long: one that has stood still has more to do at first, as its memory and its
 * heap have been taken back meanwhile.
 */
const order: readonly Kind[] = ['empty', 'grown', 'empty', 'spread'];

/**
 * The same load on an empty database and on a grown one, alternating each second, in each round as many as it has seconds: of one pair of
 * partners, and there also of many. Each round has processes of its own: of two of the same build one may take a tenth more for as long as it lives.
 */
export async function measureGrowth(context: Surroundings, options: BenchOptions, size: 'small' | 'on'): Promise<Sections['growth']> {
  const [build = ''] = options.builds;
  const rows = sizes[size];
  const stages = { empty: await Stage.open(context, build, 'empty'), grown: undefined as Stage | undefined };
  try {
    stages.grown = await Stage.open(context, build, 'grown');
    const many = await addPartners(stages.grown, rows.partners);
    await fill(stages.grown, rows);
    const turns: Turn[] = [];
    for (let round = 0; round < roundsOf(options); round++) {
      stages.empty = await stages.empty.restarted(build);
      stages.grown = await stages.grown.restarted(build);
      turns.push(...(await turnsOf({ empty: stages.empty, grown: stages.grown, many }, options.seconds)));
      printLine(`growth, round ${round + 1}: ${kinds.map((kind) => `${kind} ${overTurns(turns, kind).cpuMs.toFixed(3)} ms`).join(', ')}`);
    }
    return {
      rows,
      empty: overTurns(turns, 'empty'),
      grown: overTurns(turns, 'grown'),
      spread: overTurns(turns, 'spread'),
      times: { grown: timesOf(turns, 'grown'), spread: timesOf(turns, 'spread') },
    };
  } finally {
    await stages.empty.close();
    await stages.grown?.close();
  }
}

/** Twice as many as of others: each is another pair of processes. */
const roundsOf = ({ rounds }: BenchOptions): number => rounds * 2;

const overTurns = (turns: readonly Turn[], kind: Kind): Round => overRounds(turns.flatMap(({ [kind]: rounds }) => rounds));
const timesOf = (turns: readonly Turn[], kind: Kind): number =>
  median(turns.map(({ [kind]: rounds, empty }) => meanCpuMs(rounds) / meanCpuMs(empty)));
const meanCpuMs = (rounds: readonly Round[]): number => rounds.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / rounds.length;

interface Compared {
  readonly empty: Stage;
  readonly grown: Stage;
  readonly many: readonly PreparedRequest[];
}

async function turnsOf({ empty, grown, many }: Compared, count: number): Promise<Turn[]> {
  const loads = {
    empty: loadOf(empty, connects(empty.pairs.basic)),
    grown: loadOf(grown, connects(grown.pairs.basic)),
    spread: loadOf(grown, many),
  };
  // Both processes for as long; calls in rotation over all partners must each have been made once.
  await loads.empty.warmUp(warmUpS);
  await loads.grown.warmUp(warmUpS / 2);
  await loads.spread.warmUp(warmUpS / 2);
  const turns: Turn[] = [];
  while (turns.length < count) turns.push(await turnOf(loads, turns.length % 2 === 0));
  return turns;
}

/** One after the other, and then the other way round, so that what drifts has drifted for all alike. */
async function turnOf(loads: Readonly<Record<Kind, ReturnType<typeof loadOf>>>, forth: boolean): Promise<Turn> {
  const turn: Record<Kind, Round[]> = { empty: [], grown: [], spread: [] };
  for (const kind of forth ? order : [...order].reverse()) turn[kind].push(await loads[kind].turn());
  return turn;
}

function loadOf({ loaded, service: { url } }: { loaded: Loaded; service: { url: string } }, requests: readonly PreparedRequest[]) {
  const job = { url, requests, connections };
  return {
    warmUp: async (seconds: number) => {
      await loaded.driver.run({ ...job, once: true });
      await loaded.driver.run({ ...job, seconds });
    },
    turn: () => measureSteady(loaded, { ...job, seconds: turnS }, turnS),
  };
}

/** So many host apps and miniapps, integrated two by two through the manage API; resolves to a connect of each. */
async function addPartners({ service, context, pairs }: Stage, count: number): Promise<PreparedRequest[]> {
  const manage = managing(service.url);
  const [template] = connects(pairs.basic);
  const requests: PreparedRequest[] = [];
  let begun = 0;
  const queue = async (): Promise<void> => {
    while (begun < count) {
      const n = begun++;
      const host = await manage('POST', 'host-apps', { name: `Host ${n}`, features });
      const mini = await manage('POST', 'miniapps', { name: `Mini ${n}`, features, get_auth_token_url: `${context.stub.url}/auth` });
      await manage('PUT', `integrations/${host.client_id}/${mini.app_id}`, { status: 'accepted', features });
      const authorization = `Basic ${Buffer.from(`${host.client_id}:${host.secret_key}`).toString('base64')}`;
      const body = { client_id: host.client_id, app_id: mini.app_id, user_data: { reference: `user-${n}`, email: 'user@example.com' } };
      if (template) requests.push({ ...template, headers: { ...template.headers, authorization }, body: JSON.stringify(body) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, queue));
  return requests;
}

/** Fills the tables with copies of rows that real calls have left, each with a key of its own. */
async function fill({ context, service, pairs, database }: Stage, rows: Rows): Promise<void> {
  const { requests } = creations(pairs.payments, 1);
  for (const calls of [authorizations(pairs.payments, users), requests]) {
    await context.driver.run({ url: service.url, requests: calls, connections: 1, once: true });
  }
  await copies(database, { table: 'users', count: rows.users, keys: { reference_digest: `sha256(('g' || n)::bytea)` } });
  const spread = `now() - n * interval '${days} days' / ${rows.exchanges}`;
  await copies(database, {
    ...{ table: 'order_payments', count: rows.payments },
    keys: { id: `id || '-g' || n`, order_payment_id: `'pay-g' || n`, user_digest: `sha256(('g' || n)::bytea)` },
  });
  const keys = { id: `md5('g' || n)`, request_id: `md5('r' || n)`, at: spread };
  await copies(database, { table: 'exchanges', count: rows.exchanges, keys });
  // As what has grown over months was: otherwise the server would do it meanwhile, beside the calls.
  await database.query('vacuum (analyze)');
  await database.query('checkpoint');
}

interface Copies {
  readonly table: string;
  readonly count: number;
  /** Columns that differ from row to row: an expression over the row and its number `n`. */
  readonly keys: Readonly<Record<string, string>>;
}

async function copies(database: BenchDatabase, { table, count, keys }: Copies): Promise<void> {
  await untilThereIsOne(database, table);
  const columns = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and identity_generation is distinct from 'ALWAYS'
     order by ordinal_position`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => keys[name] ?? name);
  for (let from = 1; from <= count; from += rowsAtOnce) {
    await database.query(
      `insert into ${table} (${names.join(', ')})
       select ${values.join(', ')} from (select * from ${table} limit 1) one, generate_series($1::bigint, $2::bigint) n`,
      [from, Math.min(count, from + rowsAtOnce - 1)],
    );
  }
}

/** Some rows are written after the answer. */
async function untilThereIsOne(database: BenchDatabase, table: string): Promise<void> {
  const giveUpAt = performance.now() + 10_000;
  while ((await database.query(`select from ${table} limit 1`)).length === 0) {
    if (performance.now() > giveUpAt) throw new Error(`No row of ${table} to copy`);
    await pause(50);
  }
}
