import type { Credentials } from '../credentials/credential';
import type { Exchange } from '../exchanges/exchange';
import { eventCheckProblems, eventCheckWarning } from '../partners/event-checks';
import type { Feature } from '../partners/features';
import type { HostApp, IpWhitelist } from '../partners/host-app';
import type { IntegrationRecord, Proposal } from '../partners/integrations/integration';
import type { Miniapp } from '../partners/miniapp';
import { otherKind } from '../partners/integrations/proposal';
import { callerOf } from '../timeline/lanes';
import { neededUrls, type NeededUrl } from './needed-urls';
import type { Probe } from './ports';

/** `done`: proven; `missing`: no proof yet; `failing`: it was tried, or set, and is wrong; `off`: it does not apply. */
export type ItemState = 'done' | 'missing' | 'failing' | 'off';

/** The record that proves the state of an item. Times in milliseconds since the epoch. */
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
export interface ReadinessInput {
  readonly hostApp: HostApp;
  readonly miniapp: Miniapp;
  readonly integrationRecord: IntegrationRecord;
  /** The last successful exchange of each call. */
  readonly good: readonly Exchange[];
  readonly created?: Proof | undefined;
  readonly completed?: Proof | undefined;
  readonly noticed?: Proof | undefined;
  readonly probes: readonly Probe[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const dayMs = 86_400_000;
/** Milliseconds: warns of certificates and credentials that end within this time. */
const soonMs = 14 * dayMs;

/** The checklist of an integration, in the order in which partners work through it. */
export function checklistOf(input: ReadinessInput): readonly ChecklistItem[] {
  const on = (feature: Feature): boolean =>
    [input.hostApp.settings, input.miniapp.settings, input.integrationRecord.settings].every(({ features }) => features[feature] === true);
  const urls = neededUrls(input, on);
  const signOn = input.good.find(({ call }) => signOnCalls.includes(call));
  const event = input.good.find(({ call }) => call === 'hostapp_event' || call === 'miniapp_event');
  return [
    agreed(input.integrationRecord),
    switchedOn(on),
    ...(['host-app', 'miniapp'] as const).flatMap((kind) => [urlsSet(kind, urls), reachable(kind, urls, input)]),
    certificates(urls, input),
    proven('hostapp', input, true),
    proven('miniapp', input, on('payments') || on('events')),
    accepts('hostapp', input, on('sso') || on('payments') || on('events')),
    accepts('miniapp', input, on('sso') || on('payments') || on('events')),
    step('sign-on', 'A user has signed on', { on: on('sso'), proof: fromExchange(signOn), todo: 'Send a test sign-on.' }),
    step('payment-created', 'A test payment was opened', { on: on('payments'), proof: input.created, todo: 'Send a test payment.' }),
    step('payment-completed', 'A test payment has ended', {
      ...{ on: on('payments'), proof: input.completed, todo: 'Pay a test payment in the host app.' },
    }),
    step('notice-delivered', 'The miniapp was told how it ended', {
      ...{ on: on('payments'), proof: input.noticed, todo: 'Complete a payment, and answer the webhook with 2xx.' },
    }),
    step('event-relayed', 'An event was relayed', { on: on('events'), proof: fromExchange(event), todo: 'Send a test event.' }),
    eventChecks(input, on('events')),
    ...[allowlist('host-app', input.hostApp.settings.ipWhitelist), allowlist('miniapp', input.miniapp.settings.ipWhitelist)],
    credentials(input),
  ];
}

/** The items that keep an integration from going live. */
export const missingFrom = (items: readonly ChecklistItem[]): readonly ChecklistItem[] =>
  items.filter(({ state }) => state === 'missing' || state === 'failing');

/** Share of the applicable items that are done, in whole percent. */
export function percentDone(items: readonly ChecklistItem[]): number {
  const applicable = items.filter(({ state }) => state !== 'off');
  return Math.floor((100 * applicable.filter(({ state }) => state === 'done').length) / Math.max(1, applicable.length));
}

const signOnCalls = ['connect', 'authorize', 'partner/login'];
const nameOf = { 'host-app': 'host app', miniapp: 'miniapp' } as const;
const partnerOf = { hostapp: 'host app', miniapp: 'miniapp' } as const;

const fromExchange = (exchange: Exchange | undefined): Proof | undefined => exchange && { at: exchange.at, exchangeId: exchange.id };

/** Names each member: there are a thousand items for a page, and an object with a spread costs a hundred times as much. */
const item = ([id, title]: readonly [string, string], state: ItemState, detail: string, proof: Proof = {}): ChecklistItem => ({
  id,
  title,
  state,
  detail,
  at: proof.at,
  exchangeId: proof.exchangeId,
  paymentId: proof.paymentId,
  deliveryId: proof.deliveryId,
});

const step = (id: string, title: string, { on, proof, todo }: { on: boolean; proof: Proof | undefined; todo: string }): ChecklistItem => {
  if (proof) return item([id, title], 'done', 'Seen in real traffic.', proof);
  return item([id, title], on ? 'missing' : 'off', on ? todo : 'The feature is not switched on.');
};

/** Whether both partners agreed; the first item of the checklist, and the only one until then. */
export function agreed({ settings, proposal }: IntegrationRecord): ChecklistItem {
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
  const about = [`${kind}-urls`, `The ${nameOf[kind]}'s URLs are set`] as const;
  if (missing.length > 0) return item(about, 'missing', `Not set: ${missing.join(', ')}.`);
  return item(about, set > 0 ? 'done' : 'off', set > 0 ? `${String(set)} set.` : 'None is needed.');
}

function reachable(kind: NeededUrl['partnerKind'], urls: readonly NeededUrl[], { probes }: ReadinessInput): ChecklistItem {
  const probed = probedUrls(
    urls.filter(({ partnerKind }) => partnerKind === kind),
    probes,
  );
  const about = [`${kind}-reachable`, `The ${nameOf[kind]}'s URLs answer`] as const;
  if (probed.length === 0) return item(about, 'off', 'No URL is set.');
  const failed = probed.flatMap(({ endpoint, probe }) => (probe?.problem === undefined ? [] : [`${endpoint} (${probe.problem})`]));
  const at = oldest(probed.map(({ probe }) => probe?.at));
  if (failed.length > 0) return item(about, 'failing', `No answer from ${failed.join(', ')}.`, { at });
  if (probed.some(({ probe }) => !probe)) return item(about, 'missing', 'Not checked yet: check the URLs.');
  return item(about, 'done', `${String(probed.length)} answered.`, { at });
}

function certificates(urls: readonly NeededUrl[], { probes, now }: ReadinessInput): ChecklistItem {
  const probed = probedUrls(urls, probes).filter(({ url }) => url.startsWith('https:'));
  const about = ['tls', 'The certificates are valid'] as const;
  if (probed.length === 0) return item(about, 'off', 'No URL uses TLS.');
  const bad = probed.filter(({ probe }) => probe?.problem?.startsWith('tls') || (probe?.tlsUntil ?? Infinity) < now + soonMs);
  const names = bad.map(({ endpoint }) => endpoint).join(', ');
  if (bad.length > 0) return item(about, 'failing', `Not valid, or not for 14 days more: ${names}.`);
  const known = probed.every(({ probe }) => probe?.tlsUntil !== undefined);
  return item(about, known ? 'done' : 'missing', known ? 'All hold for 14 days at least.' : 'Not checked yet: check the URLs.');
}

const probedUrls = (urls: readonly NeededUrl[], probes: readonly Probe[]) =>
  urls.flatMap(({ partnerKind, endpoint, url }) =>
    url === undefined
      ? []
      : [{ endpoint, url, probe: probes.find((one) => one.partnerKind === partnerKind && one.endpoint === endpoint && one.url === url) }],
  );

const oldest = (times: readonly (number | undefined)[]): number | undefined => {
  const known = times.filter((at) => at !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
};

/** Whether a partner's own calls were checked, and passed. */
function proven(partner: 'hostapp' | 'miniapp', { good }: ReadinessInput, applies: boolean): ChecklistItem {
  const calls = good.filter(({ call }) => callerOf(call) === partner && !openCalls.has(call));
  const checked = newest(calls.filter(({ checks }) => checks.length > 0));
  const about = [`${partner}-proven`, `The ${partnerOf[partner]}'s calls are proven`] as const;
  if (checked) return item(about, 'done', `Passed: ${checked.checks.join(', ')}.`, fromExchange(checked));
  const open = newest(calls);
  if (open) return item(about, 'failing', 'Its calls are taken without any check: switch one on.', fromExchange(open));
  if (!applies) return item(about, 'off', 'It has nothing to call for.');
  return item(about, 'missing', `No call of the ${partnerOf[partner]} came in yet.`);
}

/** Calls without a partner's credentials: made by a browser or by the service itself. */
const openCalls: ReadonlySet<string> = new Set(['authorize', 'partner/login', 'reconcile']);

/** Whether the partner accepted the service's own calls. */
function accepts(partner: 'hostapp' | 'miniapp', { good }: ReadinessInput, applies: boolean): ChecklistItem {
  const taken = newest(
    good.filter(({ legs }) => legs.some(({ to, errorCode, status = 0 }) => to === partner && !errorCode && status < 300)),
  );
  const about = [`${partner}-accepts`, `The ${partnerOf[partner]} takes Pierhead's calls`] as const;
  if (taken) return item(about, 'done', 'It answered well to the credentials it was called with.', fromExchange(taken));
  if (!applies) return item(about, 'off', 'No feature is switched on.');
  return item(about, 'missing', `The ${partnerOf[partner]} was not called with success yet.`);
}

const newest = (exchanges: readonly Exchange[]): Exchange | undefined => [...exchanges].sort((a, b) => b.at - a.at)[0];

function allowlist(kind: NeededUrl['partnerKind'], { enabled, addresses }: IpWhitelist): ChecklistItem {
  const about = [`${kind}-allowlist`, `The ${nameOf[kind]}'s allowlist makes sense`] as const;
  if (!enabled) return item(about, 'off', 'Off: calls may come from anywhere.');
  if (addresses.length === 0) return item(about, 'failing', 'On and empty: every call is refused.');
  const everything = addresses.find((address) => /\/0$/.test(address));
  if (everything !== undefined) return item(about, 'failing', `${everything} lets everybody in.`);
  return item(about, 'done', `${String(addresses.length)} addresses or networks.`);
}

/** Whether a host app's event can pass the checks that the integration sets for it (contract/events#checks-of-a-host-apps-event). */
function eventChecks({ hostApp, miniapp, integrationRecord: { settings } }: ReadinessInput, isOn: boolean): ChecklistItem {
  const about = ['event-checks', "The host app's events can pass"] as const;
  if (!isOn) return item(about, 'off', 'Events are not switched on.');
  const [clash] = eventCheckProblems(settings.hostAppEventsCheckedBy, { hostApp, miniapp });
  if (clash) return item(about, 'failing', `${clash.path}: ${clash.rule}.`);
  const warning = eventCheckWarning(settings, miniapp);
  if (warning) return item(about, warning.cause === 'never-passes' ? 'failing' : 'done', warning.message);
  const whose = settings.hostAppEventsCheckedBy === 'both' ? 'both apps' : 'the host app';
  return item(about, 'done', `The credentials of ${whose} are checked.`);
}

function credentials({ hostApp, miniapp, now }: ReadinessInput): ChecklistItem {
  const ending = [...endingOf(hostApp.credentials, now), ...endingOf(miniapp.credentials, now)];
  const about = ['credentials', 'No credential in use is about to end'] as const;
  if (ending.length === 0) return item(about, 'done', 'None ends within 14 days.');
  return item(about, 'failing', `Still used, and accepted no more soon: ${ending.join(', ')}.`);
}

/** Previous values that were used after their successor was made, and expire soon. */
function endingOf(all: Credentials, now: number): string[] {
  return Object.entries(all).flatMap(([kind, { current, previous }]) => {
    const { validUntil = Infinity, lastUsedAt = 0 } = previous ?? {};
    const isUsed = lastUsedAt > (current?.createdAt ?? 0);
    return previous && validUntil > now && validUntil < now + soonMs && isUsed ? [`the previous ${kind}`] : [];
  });
}
