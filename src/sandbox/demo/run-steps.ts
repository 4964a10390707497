import type { SandboxHostApp } from '../partners/sandbox-host-app';
import type { SandboxMiniapp } from '../partners/sandbox-miniapp';
import type { SandboxPair } from '../setup/sandbox-pair';
import { sandboxUsers, type SandboxUser } from '../partners/sandbox-users';
import { analyticsSteps } from './demo-analytics';
import { eventSteps } from './demo-events';
import { loginSteps } from './demo-login';
import { paymentSteps, userPaymentSteps } from './demo-payments';
import { authorizeSteps, connectSteps } from './demo-sign-on';
import { takeStep, type Parties, type Step } from './demo-step';
import { tableOf, takesColour, type Leg } from './demo-table';

/** Parts that can run alone; the other steps run only with the complete demo. */
export const demoParts = ['sign-on', 'payment', 'event'] as const;
export type DemoPart = (typeof demoParts)[number];

/** The service and partners that a demo run calls, and the callbacks that report it. */
export interface DemoRun {
  /** No trailing slash. */
  readonly serviceUrl: string;
  readonly hostAppUrl: string;
  readonly operatorToken: string;
  readonly pair: SandboxPair;
  readonly hostApp: SandboxHostApp;
  readonly miniapp: SandboxMiniapp;
  /** Absent for the complete demo. */
  readonly part?: DemoPart | undefined;
  /** Prints one line. */
  readonly print: (line: string) => void;
  /** Called once at the end with all legs. */
  readonly onEnd?: ((legs: readonly Leg[]) => void) | undefined;
  /** Called with the legs of each step. */
  readonly onStep?: ((legs: readonly Leg[]) => void) | undefined;
  /** Detected from standard output by default. */
  readonly colour?: boolean | undefined;
  /** Maximum milliseconds to wait for a delivery; 5000 by default. */
  readonly patienceMs?: number | undefined;
}

/** Runs every step over real HTTP and prints each leg. Resolves to true when every leg went as expected. */
export async function runSteps(options: DemoRun): Promise<boolean> {
  const { hostApp, miniapp, print, colour = takesColour(), patienceMs = 5000 } = options;
  const urls = { Pierhead: options.serviceUrl, 'host app': options.hostAppUrl };
  const parties: Parties = { urls, receivedCalls: { 'host app': () => hostApp.calls(), miniapp: () => miniapp.calls() }, patienceMs };
  const legs: Leg[] = [];
  for (const step of stepsOf(options)) {
    const made = await takeStep(parties, step);
    legs.push(...made);
    options.onStep?.(made);
  }
  options.onEnd?.(legs);
  for (const line of tableOf(legs, colour)) print(line);
  const wrong = legs.filter((leg) => leg.problem !== undefined).length;
  print(wrong === 0 ? `All ${legs.length} legs as expected.` : `${wrong} of ${legs.length} legs were not as expected.`);
  return wrong === 0;
}

/** A generator, because some steps need values from earlier answers. */
function* stepsOf({ pair, hostApp, operatorToken, part }: DemoRun): Generator<Step> {
  const [mia, omar, yuki] = sandboxUsers as [SandboxUser, SandboxUser, SandboxUser]; // the list holds all three
  const isWalked = (one: DemoPart): boolean => part === undefined || part === one;
  if (isWalked('sign-on')) {
    yield* connectSteps(pair, mia);
    yield* authorizeSteps(pair, hostApp.issueCode(omar.reference));
    yield* loginSteps(pair, yuki);
  }
  if (isWalked('payment')) yield* paymentSteps(pair);
  if (isWalked('event')) yield* eventSteps(pair);
  if (part !== undefined) return;
  yield* analyticsSteps(pair);
  // Must be last: it changes how the host app is called.
  yield* userPaymentSteps(pair, omar, operatorToken);
}
