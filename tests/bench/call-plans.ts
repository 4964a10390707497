import { setTimeout as pause } from 'node:timers/promises';
import type { SignerName } from './bench-partners';
import * as prepared from './prepared-calls';
import type { PreparedRequest } from './prepared-calls';
import type { Stage } from './stage';

/** What requests have caused. */
interface Caused {
  readonly amiss: number;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
}

/** How one call is measured. */
export interface CallPlan {
  readonly name: string;
  /** What the caller proves itself with. */
  readonly credential: string;
  /** Each request is good for once: a round sends a number of them, in the place of some seconds of repeats. */
  readonly once: boolean;
  /** How many requests tell its pace, where each is good for once. */
  readonly first?: number;
  /** Absent: as many as all calls have. */
  readonly connections?: number;
  prepare(count: number): PreparedRequest[] | Promise<PreparedRequest[]>;
  /** Comes right before the requests are sent. */
  begin?(): Promise<void>;
  /** Waits for what the requests have caused; resolves to what of it is missing or too much, and when the last of it was. */
  afterwards?(count: number): Promise<Caused>;
}

const deliveredWithinMs = 60_000;
const pollMs = 20;
/** For what a load needs before it. Where the disk stalls, more at once would wait so long for the database that the service refuses some. */
const connections = 16;
const questions = 2000;

/** Payments that are open at the host app, made before they are needed. */
async function openPayments({ around, service, pairs }: Stage, count: number): Promise<string[]> {
  await signOnUsers({ around, service, pairs });
  const { requests, payments } = prepared.creations(pairs.payments, count);
  await sendOnce({ around, service }, requests);
  return payments;
}

/** The users who pay have signed on: their tokens are stored. */
async function signOnUsers({ around, service, pairs }: Pick<Stage, 'around' | 'service' | 'pairs'>): Promise<void> {
  await sendOnce({ around, service }, prepared.authorizations(pairs.payments, prepared.users));
}

/** Sends what a load needs before it. Throws where any of it was not answered with 200, with what it was answered, and what the service complained of. */
async function sendOnce({ around, service }: Pick<Stage, 'around' | 'service'>, requests: readonly PreparedRequest[]): Promise<void> {
  const { ok, statuses } = await around.driver.run({ url: service.url, requests, connections, once: true });
  if (ok === requests.length) return;
  const told = { path: requests[0]?.path, of: requests.length, statuses, complaints: Object.fromEntries(await service.complaints()) };
  throw new Error(`Not all was done that a load needs: ${JSON.stringify(told)}`);
}

/** Waits until every webhook has come; those that are missing or came more than once are amiss. */
async function deliveries({ around }: Stage, count: number): Promise<Caused> {
  const giveUpAt = performance.now() + deliveredWithinMs;
  for (;;) {
    const { received, distinct, lastAt } = await around.webhooks();
    if (distinct >= count || performance.now() > giveUpAt) return { amiss: count - distinct + (received - distinct), endedAt: lastAt };
    await pause(pollMs);
  }
}

function connectPlans({ pairs }: Stage): CallPlan[] {
  const signed = (name: SignerName, credential: string): CallPlan => ({
    ...{ name: `connect-${name}`, credential, once: name === 'hmac-nonce', first: 1000 },
    prepare: (count) => prepared.signedConnects(pairs, name, count),
  });
  return [
    { name: 'connect-basic', credential: 'Basic', once: false, prepare: () => prepared.connects(pairs.basic) },
    signed('hmac', 'HMAC'),
    signed('hmac-nonce', 'HMAC, nonce'),
    signed('ecdsa', 'ECDSA P-256'),
    signed('rsa2', 'RSA2, 2048 bits'),
  ];
}

function paymentPlans(stage: Stage): CallPlan[] {
  const { payments } = stage.pairs;
  const once = { once: true, first: 500 };
  let asked: string[] | undefined;
  return [
    {
      ...{ name: 'create-order-payment', credential: 'HMAC, user token', ...once },
      prepare: async (count) => {
        await signOnUsers(stage);
        return prepared.creations(payments, count).requests;
      },
    },
    {
      ...{ name: 'get-payment-status', credential: 'HMAC, user token', once: false },
      prepare: async () => prepared.statusQuestions(payments, (asked ??= await openPayments(stage, questions))),
    },
    {
      ...{ name: 'complete-order', credential: 'Basic', ...once },
      prepare: async (count) => prepared.completions(payments, await openPayments(stage, count)),
      begin: () => stage.around.forgetWebhooks(),
      afterwards: (count) => deliveries(stage, count),
    },
  ];
}

/** Every call of the benchmark. */
export function callPlans(stage: Stage): CallPlan[] {
  const { pairs } = stage;
  const transactions = (form: 'single' | 'list'): CallPlan => ({
    ...{ name: `analytics-${form}`, credential: 'Basic', once: true },
    // More lists at once keep what is asked beside them waiting so long that the service refuses some.
    ...(form === 'list' ? { first: 64, connections: 8 } : { first: 500 }),
    prepare: (count) => prepared.transactions(pairs.basic, count, form),
  });
  return [
    ...connectPlans(stage),
    {
      ...{ name: 'authorize', credential: 'none', once: true, first: 500 },
      prepare: (count) => prepared.authorizations(pairs.basic, count),
    },
    ...paymentPlans(stage),
    { name: 'events', credential: 'HMAC', once: false, prepare: () => prepared.events(pairs.payments) },
    transactions('single'),
    transactions('list'),
  ];
}
