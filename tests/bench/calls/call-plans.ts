import { setTimeout as pause } from 'node:timers/promises';
import type { SignerName } from '../bench-partners';
import { consentAndPagePlans } from './browser-plans';
import { sendOnce, type CallPlan, type Caused } from './call-plan';
import * as prepared from './prepared-calls';
import type { Side } from '../side';

const deliveredWithinMs = 60_000;
const pollMs = 20;
const questions = 2000;
const twin = ['tuned'] as const;

/** Waits until every webhook has come; those that are missing or came more than once are amiss. */
async function deliveries({ context }: Side, count: number): Promise<Caused> {
  const giveUpAt = performance.now() + deliveredWithinMs;
  for (;;) {
    const { received, distinct, lastAt } = await context.webhooks();
    if (distinct >= count || performance.now() > giveUpAt) return { amiss: count - distinct + (received - distinct), endedAt: lastAt };
    await pause(pollMs);
  }
}

function signOnPlans({ pairs }: Side): CallPlan[] {
  const signed = (name: SignerName, credential: string): CallPlan => ({
    ...{ name: `connect-${name}`, credential, peers: [], once: name === 'hmac-nonce', first: 1000 },
    prepare: (count) => prepared.signedConnects(pairs, name, count),
  });
  return [
    {
      ...{ name: 'connect-basic', credential: 'Basic', peers: ['tuned', 'stack', 'limit', 'naive'], once: false },
      prepare: () => prepared.connects(pairs.basic),
    },
    signed('hmac', 'HMAC'),
    signed('hmac-nonce', 'HMAC, nonce'),
    signed('ecdsa', 'ECDSA P-256'),
    signed('rsa2', 'RSA2, 2048 bits'),
    {
      ...{ name: 'authorize', credential: 'none', peers: twin, once: true, first: 500 },
      prepare: (count) => prepared.authorizations(pairs.basic, count),
    },
    { name: 'partner-login', credential: 'payload', peers: twin, once: false, prepare: () => prepared.logins(pairs.basic) },
  ];
}

function paymentPlans(side: Side): CallPlan[] {
  const { payments } = side.pairs;
  const once = { peers: twin, once: true, first: 500 };
  let signedOn: Promise<void> | undefined;
  let calls: string[] | undefined;
  /** The users who pay: their tokens are stored once. */
  const users = (): Promise<void> => (signedOn ??= sendOnce(side, prepared.authorizations(payments, prepared.users)));
  const opened = async (count: number): Promise<string[]> => {
    await users();
    const { requests, payments: ids } = prepared.creations(payments, count);
    await sendOnce(side, requests);
    return ids;
  };
  return [
    {
      ...{ name: 'create-order-payment', credential: 'HMAC, user token', ...once },
      prepare: async (count) => {
        await users();
        return prepared.creations(payments, count).requests;
      },
    },
    {
      ...{ name: 'get-payment-status', credential: 'HMAC, user token', peers: twin, once: false },
      prepare: async () => prepared.statusQuestions(payments, (calls ??= await opened(questions))),
    },
    {
      ...{ name: 'complete-order', credential: 'Basic', ...once },
      prepare: async (count) => prepared.completions(payments, await opened(count)),
      begin: () => side.context.forgetWebhooks(),
      afterwards: (count) => deliveries(side, count),
    },
  ];
}

/** Every call of the benchmark, at the service or at a peer. */
export function callPlans(side: Side): CallPlan[] {
  const { pairs } = side;
  const event = (sender: 'miniapp' | 'hostapp'): CallPlan => ({
    ...{ name: `events-${sender}`, credential: 'HMAC', peers: twin, once: false },
    prepare: () => prepared.events(pairs.payments, sender),
  });
  const transactions = (form: 'single' | 'list'): CallPlan => ({
    ...{ name: `analytics-${form}`, credential: 'Basic', peers: twin, once: true },
    // More lists at once keep others so long from the database that the service refuses some.
    ...(form === 'list' ? { first: 64, connections: 8 } : { first: 500 }),
    prepare: (count) => prepared.transactions(pairs.basic, count, form),
  });
  return [
    ...signOnPlans(side),
    ...consentAndPagePlans(side),
    event('miniapp'),
    event('hostapp'),
    transactions('single'),
    transactions('list'),
    // Last: the service goes on asking about the payments that they leave open.
    ...paymentPlans(side),
  ];
}
