import type { CredentialUseLog } from '../../../../domain/credentials/ports';
import type { Relay } from '../../../../domain/exchanges/exchange';
import type { RefreshLog, RefreshOutcome } from '../../../../domain/figures/refreshes';
import type { HostApp } from '../../../../domain/partners/host-app';
import { PartnerUnreachable } from '../../../../domain/partners/partner-errors';
import { JsonNumber, type Json } from '../../../../domain/shared/json';
import type { Clock } from '../../../../domain/shared/ports';
import { Secret } from '../../../../domain/shared/secret';
import type { SharedResult, SharedTasks } from '../../../../domain/shared/tasks/share-task';
import type { SharedTaskStore, SharedTaskKey } from '../../../../domain/shared/tasks/single-flight';
import { Optional, Required, Text } from '../../../dto/decorators';
import { hostAppBasic } from '../basic-credentials';
import type { PartnerAdmission, CallSlot } from '../isolation/partner-admission';
import type { OutboundGuard } from '../outbound-guard';
import { readAnswer } from '../partner-answer';
import type { Reading } from '../partner-call';
import type { PartnerSender } from '../partner-sender';
import { Anything, HeaderToken } from '../reply-rules';

export class ClientTokenReply {
  @Required('Token that the service sends in `Authorization` on further calls to the host app.') @HeaderToken() access_token!: string;
  @Optional('Word before the token in `Authorization`; absent, empty or `bearer` in any case means `Bearer`.')
  @Text({ max: 32, pattern: /^[A-Za-z0-9-]*$/ })
  token_type?: string;
  @Optional('Lifetime in seconds; the token is used until 30 s before its end. Absent or unreadable means 300 s.')
  @Anything()
  expires_in?: Json;
}

const reading: Reading<ClientTokenReply> = { leg: { side: 'hostapp', step: 'client_token' }, Reply: ClientTokenReply };

/** A client access token in use. */
export interface ClientToken {
  /** The complete value of the Authorization header. */
  readonly authorization: string;
  /** Milliseconds since the epoch. */
  readonly goodUntil: number;
  /** The form in which instances share it. */
  readonly packed: Secret;
}

interface Deps {
  readonly sender: PartnerSender;
  readonly guard: OutboundGuard;
  readonly sharedTasks: SharedTasks;
  readonly store: SharedTaskStore;
  readonly clock: Clock;
  readonly uses: CredentialUseLog;
  readonly refreshes: RefreshLog;
  /** Absent: calls need no slot. */
  readonly admission?: PartnerAdmission | undefined;
}

/** Added to the call's deadline (milliseconds), so that a running fetch never loses its lease. */
const leaseReserveMs = 5_000;

/**
 * Client access tokens that host apps issue to the service by the client credentials grant (RFC 6749 §4.4). One fetch at a time over all
 * instances; a token is kept until 30 s before it expires. After a change of secret, id, URL or scope, no older token is used
 * (contract/authentication#client-access-tokens).
 */
export class ClientAccessTokens {
  /** Keyed by record: a changed host app has a new record. */
  private readonly kept = new WeakMap<HostApp, ClientToken>();
  /** The last token that the host app refused, packed. A lookup that began before it was dropped may return it once more. */
  private readonly refused = new WeakMap<HostApp, string>();

  constructor(private readonly deps: Deps) {}

  /** Returns the current token, fetching one if necessary. Throws PartnerBusy and the partner-* kinds at step `client_token`. */
  async token(relay: Relay, hostApp: HostApp, url: string): Promise<ClientToken> {
    const kept = this.kept.get(hostApp);
    const now = this.deps.clock.now();
    if (kept && kept.goodUntil > now) return kept;
    const found = await this.shared(relay, hostApp, url);
    const token = this.isRefused(hostApp, found) ? await this.shared(relay, hostApp, url) : found;
    if (!this.isRefused(hostApp, token)) this.kept.set(hostApp, token);
    return token;
  }

  /** Drops a token that the host app refused, for all instances. */
  async drop(hostApp: HostApp, url: string, token: ClientToken): Promise<void> {
    this.refused.set(hostApp, token.packed.reveal());
    const kept = this.kept.get(hostApp);
    if (kept && this.isRefused(hostApp, kept)) this.kept.delete(hostApp);
    await this.deps.store.drop(keyOf(hostApp, url), token.packed);
  }

  private isRefused(hostApp: HostApp, token: ClientToken): boolean {
    return token.packed.reveal() === this.refused.get(hostApp);
  }

  /** Returns the token that all instances share, or fetches one. */
  private async shared(relay: Relay, hostApp: HostApp, url: string): Promise<ClientToken> {
    const { sharedTasks, clock } = this.deps;
    const leaseMs = Math.max(0, relay.deadline - clock.now()) + leaseReserveMs;
    let isOurs = false;
    const fetch = async (): Promise<SharedResult> => {
      isOurs = true;
      return this.counted(hostApp, this.fetch(relay, hostApp, url));
    };
    const shared = sharedTasks.run(keyOf(hostApp, url), { leaseMs, deadline: relay.deadline, time: relay.time }, fetch);
    const packed = await shared.finally(() => {
      if (!isOurs) this.reportRefresh(hostApp, 'shared');
    });
    return unpack(packed);
  }

  private async counted(hostApp: HostApp, fetching: Promise<SharedResult>): Promise<SharedResult> {
    try {
      const token = await fetching;
      this.reportRefresh(hostApp, 'ok');
      return token;
    } catch (error) {
      this.reportRefresh(hostApp, 'failed');
      throw error;
    }
  }

  private reportRefresh({ id: clientId }: HostApp, outcome: RefreshOutcome): void {
    this.deps.refreshes.refreshed({ clientId, token: 'client', outcome });
  }

  private async fetch(relay: Relay, hostApp: HostApp, url: string): Promise<SharedResult> {
    const { sender, guard, clock, uses } = this.deps;
    const { leg } = reading;
    const about = { clientId: hostApp.id };
    if (guard.urlProblem(url) !== undefined) throw new PartnerUnreachable(leg, 'denied-address');
    const request = {
      method: 'POST',
      url,
      headers: {
        Accept: 'application/json',
        'Accept-Encoding': 'identity',
        'User-Agent': 'Pierhead',
        'Content-Type': 'application/x-www-form-urlencoded',
        Authorization: `Basic ${hostAppBasic(hostApp, leg.step)}`,
      },
      body: Buffer.from(formOf(hostApp.settings.clientAccessTokenScope)),
    } as const;
    const value = hostApp.credentials.host_app_secret_key?.current;
    if (value) uses.used({ partner: 'host-app', id: hostApp.id, kind: 'host_app_secret_key', value });
    const reply = await this.inSlot(relay, hostApp, url, (slot) =>
      sender.send({ relay, leg, receiver: hostApp, attempt: 1, about, request, slot }, (answer) => readAnswer(reading, answer, false)),
    );
    const ttlMs = lifetimeMs(reply.expires_in);
    const authorization = `${schemeOf(reply.token_type)} ${reply.access_token}`;
    return { value: pack(authorization, clock.now() + ttlMs), ttlMs };
  }

  /** One fetch serves all integrations of a host app. */
  private async inSlot<T>(
    relay: Relay,
    { id: partnerId }: HostApp,
    url: string,
    work: (slot: CallSlot | undefined) => Promise<T>,
  ): Promise<T> {
    const slot = await this.deps.admission?.slotFor(relay, { ...reading.leg, partnerId, url }, '');
    try {
      return await work(slot);
    } finally {
      slot?.close(true);
    }
  }
}

function keyOf({ id, settings, credentials }: HostApp, url: string): SharedTaskKey {
  const fingerprint = credentials.host_app_secret_key?.current?.fingerprint ?? null;
  const parts = [id, settings.hostAppClientId ?? null, fingerprint, url, settings.clientAccessTokenScope ?? null];
  return { purpose: 'client-token', key: JSON.stringify(parts) };
}

function formOf(scope: string | undefined): string {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== undefined) form.set('scope', scope);
  return form.toString();
}

/** RFC 6749 §5.1: the token type is case-insensitive, but some servers require `Bearer` in the header exactly. */
const schemeOf = (type: string | undefined): string => (!type || type.toLowerCase() === 'bearer' ? 'Bearer' : type);

const spareS = 30;
const unsaidS = 300;
const longestS = 24 * 60 * 60;

/** The lifetime of a token: until 30 s before it expires, at most a day; 300 s when `expires_in` is absent or unreadable. */
function lifetimeMs(expiresIn: Json | undefined): number {
  const text = expiresIn instanceof JsonNumber ? expiresIn.text : expiresIn;
  const seconds = typeof text === 'string' && text.trim() !== '' ? Number(text) : NaN;
  if (Number.isNaN(seconds)) return unsaidS * 1000;
  return Math.min(Math.max(seconds - spareS, 0), longestS) * 1000;
}

const pack = (authorization: string, goodUntil: number): Secret => new Secret(JSON.stringify([authorization, goodUntil]));

function unpack(packed: Secret): ClientToken {
  const [authorization, goodUntil] = JSON.parse(packed.reveal()) as [string, number];
  return { authorization, goodUntil, packed };
}
