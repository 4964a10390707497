import type { Credentials } from '../credentials/credential';
import type { Exchange } from '../exchanges/exchange';
import { eventCheckProblems, eventCheckWarning } from '../partners/event-checks';
import type { Feature } from '../partners/features';
import type { HostApp, IpWhitelist } from '../partners/host-app';
import type { Agreement, Proposal } from '../partners/integration';
import type { Miniapp } from '../partners/miniapp';
import { otherKind } from '../partners/proposal';
import { callerOf } from '../timeline/lanes';
import { neededUrls, type NeededUrl } from './needed-urls';
import type { Probe } from './ports';

/** `done`: proven; `missing`: nothing is known yet; `failing`: it was tried, or set, and is wrong; `off`: it does not apply. */
export type ItemState = 'done' | 'missing' | 'failing' | 'off';

/** What shows that an item is done, or that it is not. Times in milliseconds since the epoch. */
export interface Proof {
  readonly at?: number | undefined;
  readonly exchangeId?: string | undefined;
  readonly paymentId?: string | undefined;
  readonly deliveryId?: string | undefined;
}

export interface ChecklistItem extends Proof {
  /** Stable, in kebab-case. */
  readonly id: string;
  readonly title: string;
  readonly state: ItemState;
  /** One sentence: the finding, or the next step. */
  readonly detail: string;
}

/** The facts about an integration. */
export interface ReadinessFacts {
  readonly hostApp: HostApp;
  readonly miniapp: Miniapp;
  readonly agreement: Agreement;
  /** The last exchange of each call that went well. */
  readonly good: readonly Exchange[];
  readonly created?: Proof | undefined;
  readonly completed?: Proof | undefined;
  readonly noticed?: Proof | undefined;
  readonly probes: readonly Probe[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const dayMs = 86_400_000;
/** What ends sooner is worth a word, in milliseconds. */
const soonMs = 14 * dayMs;

/** The checklist of an integration, in the order in which it is worked through. */
export function checklistOf(facts: ReadinessFacts): readonly ChecklistItem[] {
  const on = (feature: Feature): boolean =>
    [facts.hostApp.settings, facts.miniapp.settings, facts.agreement.settings].every(({ features }) => features[feature] === true);
  const urls = neededUrls(facts, on);
  const signOn = facts.good.find(({ call }) => signOnCalls.includes(call));
  const event = facts.good.find(({ call }) => call === 'hostapp_event' || call === 'miniapp_event');
  return [
    agreed(facts.agreement),
    switchedOn(on),
    ...(['host-app', 'miniapp'] as const).flatMap((kind) => [urlsSet(kind, urls), reachable(kind, urls, facts)]),
    certificates(urls, facts),
    proven('hostapp', facts, true),
    proven('miniapp', facts, on('payments') || on('events')),
    accepts('hostapp', facts, on('sso') || on('payments') || on('events')),
    accepts('miniapp', facts, on('sso') || on('payments') || on('events')),
    step('sign-on', 'A user has signed on', { on: on('sso'), proof: fromExchange(signOn), todo: 'Send a test sign-on.' }),
    step('payment-created', 'A test payment was opened', { on: on('payments'), proof: facts.created, todo: 'Send a test payment.' }),
    step('payment-completed', 'A test payment has ended', {
      ...{ on: on('payments'), proof: facts.completed, todo: 'Pay a test payment in the host app.' },
    }),
    step('notice-delivered', 'The miniapp was told how it ended', {
      ...{ on: on('payments'), proof: facts.noticed, todo: 'Complete a payment, and answer the webhook with 2xx.' },
    }),
    step('event-relayed', 'An event was relayed', { on: on('events'), proof: fromExchange(event), todo: 'Send a test event.' }),
    eventChecks(facts, on('events')),
    ...[allowlist('host-app', facts.hostApp.settings.ipWhitelist), allowlist('miniapp', facts.miniapp.settings.ipWhitelist)],
    credentials(facts),
  ];
}

/** What keeps an integration from going live. */
export const missingFrom = (items: readonly ChecklistItem[]): readonly ChecklistItem[] =>
  items.filter(({ state }) => state === 'missing' || state === 'failing');

/** How much of what applies is done, in whole percent. */
export function percentDone(items: readonly ChecklistItem[]): number {
  const asked = items.filter(({ state }) => state !== 'off');
  return Math.floor((100 * asked.filter(({ state }) => state === 'done').length) / Math.max(1, asked.length));
}

const signOnCalls = ['connect', 'authorize', 'partner/login'];
const nameOf = { 'host-app': 'host app', miniapp: 'miniapp' } as const;
const partnerOf = { hostapp: 'host app', miniapp: 'miniapp' } as const;

const fromExchange = (exchange: Exchange | undefined): Proof | undefined => exchange && { at: exchange.at, exchangeId: exchange.id };

const step = (id: string, title: string, { on, proof, todo }: { on: boolean; proof: Proof | undefined; todo: string }): ChecklistItem => {
  if (proof) return { id, title, state: 'done', detail: 'Seen in real traffic.', ...proof };
  return { id, title, state: on ? 'missing' : 'off', detail: on ? todo : 'The feature is not switched on.' };
};

/** Whether both partners agreed; the first of the checklist, and all of it until then. */
export function agreed({ settings, proposal }: Agreement): ChecklistItem {
  const isAccepted = settings.status === 'accepted';
  const detail = isAccepted ? 'Both sides agreed.' : proposal ? waiting(proposal) : `The integration is ${settings.status}: accept it.`;
  return { id: 'accepted', title: 'The integration is accepted', state: isAccepted ? 'done' : 'missing', detail };
}

function waiting({ by, declinedAt }: Proposal): string {
  const decider = nameOf[otherKind[by]];
  return declinedAt === undefined
    ? `The ${nameOf[by]} has proposed it: the ${decider} has to accept.`
    : `The ${decider} has declined; it can still accept.`;
}

function switchedOn(on: (feature: Feature) => boolean): ChecklistItem {
  const features = (['sso', 'payments', 'events'] as const).filter(on);
  const detail =
    features.length > 0
      ? `On at all three levels: ${features.map((feature) => (feature === 'sso' ? 'sign-on' : feature)).join(', ')}.`
      : 'Switch a feature on in the host app, the miniapp and the integration.';
  return { id: 'features', title: 'A feature is switched on', state: features.length > 0 ? 'done' : 'missing', detail };
}

function urlsSet(kind: NeededUrl['partnerKind'], urls: readonly NeededUrl[]): ChecklistItem {
  const own = urls.filter(({ partnerKind }) => partnerKind === kind);
  const missing = own.filter(({ url, isNeeded }) => isNeeded && url === undefined).map(({ endpoint }) => endpoint);
  const set = own.filter(({ url }) => url !== undefined).length;
  const about = { id: `${kind}-urls`, title: `The ${nameOf[kind]}'s URLs are set` };
  if (missing.length > 0) return { ...about, state: 'missing', detail: `Not set: ${missing.join(', ')}.` };
  return { ...about, state: set > 0 ? 'done' : 'off', detail: set > 0 ? `${String(set)} set.` : 'None is needed.' };
}

function reachable(kind: NeededUrl['partnerKind'], urls: readonly NeededUrl[], { probes }: ReadinessFacts): ChecklistItem {
  const looked = lookedAt(
    urls.filter(({ partnerKind }) => partnerKind === kind),
    probes,
  );
  const about = { id: `${kind}-reachable`, title: `The ${nameOf[kind]}'s URLs answer` };
  if (looked.length === 0) return { ...about, state: 'off', detail: 'No URL is set.' };
  const failed = looked.flatMap(({ endpoint, probe }) => (probe?.problem === undefined ? [] : [`${endpoint} (${probe.problem})`]));
  const at = oldest(looked.map(({ probe }) => probe?.at));
  if (failed.length > 0) return { ...about, state: 'failing', detail: `No answer from ${failed.join(', ')}.`, at };
  if (looked.some(({ probe }) => !probe)) return { ...about, state: 'missing', detail: 'Not looked at yet: check the URLs.' };
  return { ...about, state: 'done', detail: `${String(looked.length)} answered.`, at };
}

function certificates(urls: readonly NeededUrl[], { probes, now }: ReadinessFacts): ChecklistItem {
  const looked = lookedAt(urls, probes).filter(({ url }) => url.startsWith('https:'));
  const about = { id: 'tls', title: 'The certificates are valid' };
  if (looked.length === 0) return { ...about, state: 'off', detail: 'No URL uses TLS.' };
  const bad = looked.filter(({ probe }) => probe?.problem?.startsWith('tls') || (probe?.tlsUntil ?? Infinity) < now + soonMs);
  const names = bad.map(({ endpoint }) => endpoint).join(', ');
  if (bad.length > 0) return { ...about, state: 'failing', detail: `Not valid, or not for 14 days more: ${names}.` };
  const known = looked.every(({ probe }) => probe?.tlsUntil !== undefined);
  return {
    ...about,
    state: known ? 'done' : 'missing',
    detail: known ? 'All hold for 14 days at least.' : 'Not looked at yet: check the URLs.',
  };
}

const lookedAt = (urls: readonly NeededUrl[], probes: readonly Probe[]) =>
  urls.flatMap(({ partnerKind, endpoint, url }) =>
    url === undefined
      ? []
      : [{ endpoint, url, probe: probes.find((one) => one.partnerKind === partnerKind && one.endpoint === endpoint && one.url === url) }],
  );

const oldest = (times: readonly (number | undefined)[]): number | undefined => {
  const known = times.filter((at) => at !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
};

/** A partner's own calls were checked, and passed. */
function proven(partner: 'hostapp' | 'miniapp', { good }: ReadinessFacts, applies: boolean): ChecklistItem {
  const calls = good.filter(({ call }) => callerOf(call) === partner && !openCalls.has(call));
  const checked = newest(calls.filter(({ checks }) => checks.length > 0));
  const about = { id: `${partner}-proven`, title: `The ${partnerOf[partner]}'s calls are proven` };
  if (checked) return { ...about, state: 'done', detail: `Passed: ${checked.checks.join(', ')}.`, ...fromExchange(checked) };
  const open = newest(calls);
  if (open) return { ...about, state: 'failing', detail: 'Its calls are taken without any check: switch one on.', ...fromExchange(open) };
  if (!applies) return { ...about, state: 'off', detail: 'It has nothing to call for.' };
  return { ...about, state: 'missing', detail: `No call of the ${partnerOf[partner]} came in yet.` };
}

/** A browser calls these: there is nothing to prove. */
const openCalls: ReadonlySet<string> = new Set(['authorize', 'partner/login', 'reconcile']);

/** The service's own calls to a partner were taken. */
function accepts(partner: 'hostapp' | 'miniapp', { good }: ReadinessFacts, applies: boolean): ChecklistItem {
  const taken = newest(
    good.filter(({ legs }) => legs.some(({ to, errorCode, status = 0 }) => to === partner && !errorCode && status < 300)),
  );
  const about = { id: `${partner}-accepts`, title: `The ${partnerOf[partner]} takes Pierhead's calls` };
  if (taken) return { ...about, state: 'done', detail: 'It answered well to the credentials it was called with.', ...fromExchange(taken) };
  if (!applies) return { ...about, state: 'off', detail: 'No feature is switched on.' };
  return { ...about, state: 'missing', detail: `The ${partnerOf[partner]} was not called with success yet.` };
}

const newest = (exchanges: readonly Exchange[]): Exchange | undefined => [...exchanges].sort((a, b) => b.at - a.at)[0];

function allowlist(kind: NeededUrl['partnerKind'], { enabled, addresses }: IpWhitelist): ChecklistItem {
  const about = { id: `${kind}-allowlist`, title: `The ${nameOf[kind]}'s allowlist makes sense` };
  if (!enabled) return { ...about, state: 'off', detail: 'Off: calls may come from anywhere.' };
  if (addresses.length === 0) return { ...about, state: 'failing', detail: 'On and empty: every call is refused.' };
  const everything = addresses.find((address) => /\/0$/.test(address));
  if (everything !== undefined) return { ...about, state: 'failing', detail: `${everything} lets everybody in.` };
  return { ...about, state: 'done', detail: `${String(addresses.length)} addresses or networks.` };
}

/** Whether a host app's event can pass the checks that the integration sets for it (contract/events#checks-of-a-host-apps-event). */
function eventChecks({ hostApp, miniapp, agreement: { settings } }: ReadinessFacts, isOn: boolean): ChecklistItem {
  const about = { id: 'event-checks', title: "The host app's events can pass" };
  if (!isOn) return { ...about, state: 'off', detail: 'Events are not switched on.' };
  const [clash] = eventCheckProblems(settings.hostAppEventsCheckedBy, { hostApp, miniapp });
  if (clash) return { ...about, state: 'failing', detail: `${clash.path}: ${clash.rule}.` };
  const warning = eventCheckWarning(settings, miniapp);
  if (warning) return { ...about, state: warning.cause === 'never-passes' ? 'failing' : 'done', detail: warning.message };
  const whose = settings.hostAppEventsCheckedBy === 'both' ? 'both apps' : 'the host app';
  return { ...about, state: 'done', detail: `The credentials of ${whose} are checked.` };
}

function credentials({ hostApp, miniapp, now }: ReadinessFacts): ChecklistItem {
  const ending = [...endingOf(hostApp.credentials, now), ...endingOf(miniapp.credentials, now)];
  const about = { id: 'credentials', title: 'No credential in use is about to end' };
  if (ending.length === 0) return { ...about, state: 'done', detail: 'None ends within 14 days.' };
  return { ...about, state: 'failing', detail: `Still used, and accepted no more soon: ${ending.join(', ')}.` };
}

/** A previous value that was used after its successor was made, and ends soon. */
function endingOf(all: Credentials, now: number): string[] {
  return Object.entries(all).flatMap(([kind, { current, previous }]) => {
    const { validUntil = Infinity, lastUsedAt = 0 } = previous ?? {};
    const isUsed = lastUsedAt > (current?.createdAt ?? 0);
    return previous && validUntil > now && validUntil < now + soonMs && isUsed ? [`the previous ${kind}`] : [];
  });
}
