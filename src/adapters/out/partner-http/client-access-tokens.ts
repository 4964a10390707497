import type { CredentialUses } from '../../../domain/credentials/ports';
import type { Relay } from '../../../domain/exchanges/exchange';
import type { RefreshLog, RefreshOutcome } from '../../../domain/figures/refreshes';
import type { HostApp } from '../../../domain/partners/host-app';
import { PartnerUnreachable } from '../../../domain/partners/partner-errors';
import { JsonNumber, type Json } from '../../../domain/shared/json';
import type { Clock } from '../../../domain/shared/ports';
import { Secret } from '../../../domain/shared/secret';
import type { Landing, SharedFlights } from '../../../domain/shared/share-flight';
import type { FlightBoard, FlightKey } from '../../../domain/shared/single-flight';
import { Optional, Required, Text } from '../../dto/decorators';
import { hostAppBasic } from './basic-credentials';
import type { PartnerAdmission, PlaceOfCall } from './isolation/partner-admission';
import type { OutboundGuard } from './outbound-guard';
import { readAnswer } from './partner-answer';
import type { Reading } from './partner-call';
import type { PartnerSender } from './partner-sender';
import { Anything, HeaderToken } from './reply-rules';

export class ClientTokenReply {
  @Required() @HeaderToken() access_token!: string;
  @Optional() @Text({ max: 32, pattern: /^[A-Za-z0-9-]*$/ }) token_type?: string;
  @Optional() @Anything() expires_in?: Json;
}

const reading: Reading<ClientTokenReply> = { leg: { side: 'hostapp', step: 'client_token' }, Reply: ClientTokenReply };

/** A client access token in use. */
export interface ClientToken {
  /** The whole value of the Authorization header. */
  readonly authorization: string;
  /** Milliseconds since the epoch. */
  readonly goodUntil: number;
  /** As all instances share it. */
  readonly packed: Secret;
}

interface Deps {
  readonly sender: PartnerSender;
  readonly guard: OutboundGuard;
  readonly flights: SharedFlights;
  readonly board: FlightBoard;
  readonly clock: Clock;
  readonly uses: CredentialUses;
  readonly refreshes: RefreshLog;
  /** Absent: calls take no places. */
  readonly admission?: PartnerAdmission | undefined;
}

/** On top of the call's own deadline, so that a live fetch never loses its claim. */
const leaseReserveMs = 5_000;

/**
 * Tokens that host apps issue to us by the client credentials grant (RFC 6749 §4.4): one fetch at a time over all instances,
 * kept until 30 s before they expire. A changed secret, id, URL or scope never meets a token of before (contract/authentication#client-access-tokens).
 */
export class ClientAccessTokens {
  /** By record: a change of the host app makes a new one. */
  private readonly kept = new WeakMap<HostApp, ClientToken>();
  /** The last one that the host app did not take, packed: a look that began before it was dropped may bring it once more. */
  private readonly refused = new WeakMap<HostApp, string>();

  constructor(private readonly deps: Deps) {}

  /** Throws PartnerBusy and the partner-* kinds at step `client_token`. */
  async token(relay: Relay, hostApp: HostApp, url: string): Promise<ClientToken> {
    const kept = this.kept.get(hostApp);
    const now = this.deps.clock.now();
    if (kept && kept.goodUntil > now) return kept;
    const found = await this.shared(relay, hostApp, url);
    const token = this.isRefused(hostApp, found) ? await this.shared(relay, hostApp, url) : found;
    if (!this.isRefused(hostApp, token)) this.kept.set(hostApp, token);
    return token;
  }

  /** Forgets a token that the host app does not take, here and for all instances. */
  async drop(hostApp: HostApp, url: string, token: ClientToken): Promise<void> {
    this.refused.set(hostApp, token.packed.reveal());
    const kept = this.kept.get(hostApp);
    if (kept && this.isRefused(hostApp, kept)) this.kept.delete(hostApp);
    await this.deps.board.drop(keyOf(hostApp, url), token.packed);
  }

  private isRefused(hostApp: HostApp, token: ClientToken): boolean {
    return token.packed.reveal() === this.refused.get(hostApp);
  }

  /** The token of all instances, fetched where none of them has one. */
  private async shared(relay: Relay, hostApp: HostApp, url: string): Promise<ClientToken> {
    const { flights, clock } = this.deps;
    const leaseMs = Math.max(0, relay.deadline - clock.now()) + leaseReserveMs;
    let isOurs = false;
    const fetch = async (): Promise<Landing> => {
      isOurs = true;
      return this.counted(hostApp, this.fetch(relay, hostApp, url));
    };
    const landed = flights.run(keyOf(hostApp, url), { leaseMs, deadline: relay.deadline, time: relay.time }, fetch);
    const packed = await landed.finally(() => {
      if (!isOurs) this.told(hostApp, 'shared');
    });
    return unpack(packed);
  }

  private async counted(hostApp: HostApp, fetching: Promise<Landing>): Promise<Landing> {
    try {
      const landing = await fetching;
      this.told(hostApp, 'ok');
      return landing;
    } catch (error) {
      this.told(hostApp, 'failed');
      throw error;
    }
  }

  private told({ id: clientId }: HostApp, outcome: RefreshOutcome): void {
    this.deps.refreshes.refreshed({ clientId, token: 'client', outcome });
  }

  private async fetch(relay: Relay, hostApp: HostApp, url: string): Promise<Landing> {
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
    const reply = await this.inPlace(relay, hostApp, url, (place) =>
      sender.send({ relay, leg, receiver: hostApp, attempt: 1, about, request, place }, (answer) => readAnswer(reading, answer, false)),
    );
    const ttlMs = lifetimeMs(reply.expires_in);
    const authorization = `${schemeOf(reply.token_type)} ${reply.access_token}`;
    return { value: pack(authorization, clock.now() + ttlMs), ttlMs };
  }

  /** One fetch serves all integrations of a host app. */
  private async inPlace<T>(
    relay: Relay,
    { id: partnerId }: HostApp,
    url: string,
    work: (place: PlaceOfCall | undefined) => Promise<T>,
  ): Promise<T> {
    const place = await this.deps.admission?.placeFor(relay, { ...reading.leg, partnerId, url }, '');
    try {
      return await work(place);
    } finally {
      place?.close(true);
    }
  }
}

function keyOf({ id, settings, credentials }: HostApp, url: string): FlightKey {
  const fingerprint = credentials.host_app_secret_key?.current?.fingerprint ?? null;
  const parts = [id, settings.hostAppClientId ?? null, fingerprint, url, settings.clientAccessTokenScope ?? null];
  return { purpose: 'client-token', key: JSON.stringify(parts) };
}

function formOf(scope: string | undefined): string {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== undefined) form.set('scope', scope);
  return form.toString();
}

/** RFC 6749 §5.1: the type is case-insensitive; the word on the wire is not everywhere. */
const schemeOf = (type: string | undefined): string => (!type || type.toLowerCase() === 'bearer' ? 'Bearer' : type);

const spareS = 30;
const unsaidS = 300;
const longestS = 24 * 60 * 60;

/** For how long a token is used: until 30 s before it expires, a day at most; 300 s where nothing readable is said. */
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
