import type { SandboxHostApp } from './sandbox-host-app';
import type { SandboxMiniapp } from './sandbox-miniapp';
import type { SandboxPair } from './sandbox-pair';
import { sandboxUsers, type SandboxUser } from './sandbox-users';
import { analyticsSteps } from './walk-analytics';
import { eventSteps } from './walk-events';
import { loginSteps } from './walk-login';
import { paymentSteps, userPaymentSteps } from './walk-payments';
import { authorizeSteps, connectSteps } from './walk-sign-on';
import { takeStep, type Parties, type Step } from './walk-step';
import { tableOf, takesColour, type Leg } from './walk-table';

/** What can be walked alone; the rest comes with the whole alone. */
export const walkParts = ['sign-on', 'payment', 'event'] as const;
export type WalkPart = (typeof walkParts)[number];

/** Where the walk goes, and who tells what happened on the way. */
export interface Walk {
  /** Without a final slash. */
  readonly serviceUrl: string;
  readonly hostAppUrl: string;
  readonly operatorToken: string;
  readonly pair: SandboxPair;
  readonly hostApp: SandboxHostApp;
  readonly miniapp: SandboxMiniapp;
  /** Absent: all of it. */
  readonly part?: WalkPart | undefined;
  /** Takes one line at a time. */
  readonly print: (line: string) => void;
  /** Takes the legs, once all are made. */
  readonly tell?: ((legs: readonly Leg[]) => void) | undefined;
  /** Hears the legs of each step as it is made. */
  readonly hear?: ((legs: readonly Leg[]) => void) | undefined;
  /** Absent: where standard output takes it. */
  readonly colour?: boolean | undefined;
  /** How long a delivery may take to come, in milliseconds; 5000. */
  readonly patienceMs?: number | undefined;
}

/** Walks the sandbox users through everything over real HTTP and prints each leg. True: every leg was as it must be. */
export async function walk(way: Walk): Promise<boolean> {
  const { hostApp, miniapp, print, colour = takesColour(), patienceMs = 5000 } = way;
  const urls = { Pierhead: way.serviceUrl, 'host app': way.hostAppUrl };
  const parties: Parties = { urls, ledgers: { 'host app': () => hostApp.calls(), miniapp: () => miniapp.calls() }, patienceMs };
  const legs: Leg[] = [];
  for (const step of stepsOf(way)) {
    const made = await takeStep(parties, step);
    legs.push(...made);
    way.hear?.(made);
  }
  way.tell?.(legs);
  for (const line of tableOf(legs, colour)) print(line);
  const wrong = legs.filter((leg) => leg.problem !== undefined).length;
  print(wrong === 0 ? `All ${legs.length} legs as expected.` : `${wrong} of ${legs.length} legs were not as expected.`);
  return wrong === 0;
}

/** Each step is made when the one before it is done: some need what an earlier answer held. */
function* stepsOf({ pair, hostApp, operatorToken, part }: Walk): Generator<Step> {
  const [mia, omar, yuki] = sandboxUsers as [SandboxUser, SandboxUser, SandboxUser]; // the list holds all three
  const isWalked = (one: WalkPart): boolean => part === undefined || part === one;
  if (isWalked('sign-on')) {
    yield* connectSteps(pair, mia);
    yield* authorizeSteps(pair, hostApp.issueCode(omar.reference));
    yield* loginSteps(pair, yuki);
  }
  if (isWalked('payment')) yield* paymentSteps(pair);
  if (isWalked('event')) yield* eventSteps(pair);
  if (part !== undefined) return;
  yield* analyticsSteps(pair);
  // Last, as it changes how the host app is called.
  yield* userPaymentSteps(pair, omar, operatorToken);
}
