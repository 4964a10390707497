import { EndpointNotSet, PartnerGarbled, PartnerUnreachable, type PartnerLeg } from '../../../domain/partners/partner-errors';
import type { Json } from '../../../domain/shared/json';
import { StaleConnection, type LegExchange } from './exchange-leg';
import { endpointCall, type PartnerAdmission, type PlaceOfCall } from './isolation/partner-admission';
import { headerValuePattern } from './header-value';
import type { WireAnswer } from './http-transport';
import type { OutboundCredentials, Proof } from './outbound-credentials';
import type { OutboundGuard } from './outbound-guard';
import { readAnswer, readPassedOn } from './partner-answer';
import type { PartnerCall, PartnerRequest, Sending } from './partner-call';
import { draftOf, type PartnerDraft } from './partner-draft';

/**
 * Sends every call to a partner: proven, bounded, checked and recorded in the trace. Source: decisions §3.
 */
export class PartnerHttpClient {
  constructor(
    private readonly deps: {
      exchange: LegExchange;
      credentials: OutboundCredentials;
      guard: OutboundGuard;
      /** Absent: calls take no places. */
      admission?: PartnerAdmission | undefined;
    },
  ) {}

  /**
   * Resolves to the fields of the answer. Throws EndpointNotSet, PartnerBusy, the partner-* kinds, and what the credentials throw. Repeats
   * once after a 401 to a client access token, and a GET whose kept connection turned out to be closed; nothing else.
   */
  send<Input, Reply extends object>(call: PartnerCall<Input, Reply>, sending: Sending<Input>): Promise<Reply> {
    return this.inPlace(call, sending, { read: (answer) => readAnswer(call, answer, sending.userToken !== undefined) });
  }

  /** As send, but resolves to the whole JSON of a 2xx answer, whatever it says; `undefined`: there is none. */
  relay<Input>(call: PartnerRequest<Input>, sending: Sending<Input>): Promise<Json | undefined> {
    return this.inPlace(call, sending, { read: (answer) => readPassedOn(call.leg, answer) });
  }

  /**
   * As send, but any answer is one, whatever its status and body; of a body that cannot be read whole nothing is there. Deliveries have
   * circuits and places of their own (ADR 015).
   */
  deliver<Input>(call: PartnerRequest<Input>, sending: Sending<Input>): Promise<WireAnswer> {
    return this.converse(call, sending, { read: (answer) => answer, statusSuffices: true }, undefined);
  }

  /** What `deliver` would send now, with what proves it; it is not sent. Throws as `send` does before it sends. */
  async draft<Input>(call: PartnerRequest<Input>, sending: Sending<Input>): Promise<Required<PartnerDraft>> {
    const draft = { body: nothing, ...draftOf(call, sending, this.urlOf(call, sending)) };
    const { headers } = await this.deps.credentials.prove(call.leg, sending, draft);
    const proven = { ...draft, headers: { ...draft.headers, ...headers } };
    requireSendable(call.leg, proven.headers);
    return proven;
  }

  private async inPlace<Input, Reply>(call: PartnerRequest<Input>, sending: Sending<Input>, reading: Reader<Reply>): Promise<Reply> {
    const { relay, integration } = sending;
    const endpoint = endpointCall(call.leg, integration, this.urlOf(call, sending));
    const place = this.deps.admission?.placeFor(relay, endpoint, integration.id);
    let wentWell = false;
    try {
      const reply = await this.converse(call, sending, reading, place);
      wentWell = true;
      return reply;
    } finally {
      place?.close(wentWell);
    }
  }

  private async converse<Input, Reply>(
    call: PartnerRequest<Input>,
    sending: Sending<Input>,
    { read, statusSuffices = false }: Reader<Reply>,
    place: PlaceOfCall | undefined,
  ): Promise<Reply> {
    const { relay, integration, attempt = 1 } = sending;
    const about = { clientId: integration.hostApp.id, appId: integration.miniapp.id };
    const { leg } = call;
    const draft = draftOf(call, sending, this.urlOf(call, sending));
    const prove = (): Proof | Promise<Proof> =>
      this.deps.credentials.prove(
        leg,
        sending,
        draft.body ? (draft as Required<PartnerDraft>) : Object.assign({}, draft, { body: nothing }),
      );
    const proof = await prove();
    let status: number | undefined;
    const readHere = (answer: WireAnswer): Reply => {
      status = answer.status;
      return read(answer);
    };
    const exchange = (number: number, { headers: proving }: Proof): Promise<Reply> => {
      // Where an object is spread and added to, it takes as long as the rest of this.
      const headers = Object.assign({}, draft.headers, proving);
      requireSendable(leg, headers);
      const request = { method: draft.method, url: draft.url, headers, body: draft.body, statusSuffices };
      return this.deps.exchange.run({ relay, leg, attempt: number, about, request, place }, readHere);
    };
    try {
      const reply = await exchange(attempt, proof);
      if (status !== 401 || !proof.renew) return reply;
    } catch (error) {
      const unseen = error instanceof StaleConnection && (call.method === 'GET' || call.repeatable === true);
      const expired = status === 401 && proof.renew !== undefined;
      if (!unseen && !expired) throw error;
    }
    if (status === 401) await proof.renew?.();
    return exchange(attempt + 1, await prove());
  }

  private urlOf<Input>({ leg, setting, url }: PartnerRequest<Input>, { integration }: Sending<Input>): string {
    const stored = url(integration);
    if (stored === undefined) throw new EndpointNotSet(leg, setting);
    // Stored under other rules, perhaps: a deployment can be narrowed.
    if (this.deps.guard.urlProblem(stored) !== undefined) throw new PartnerUnreachable(leg, 'denied-address');
    return stored;
  }
}

/** How an answer is read; `statusSuffices` as in WireRequest. */
interface Reader<Reply> {
  readonly read: (answer: WireAnswer) => Reply;
  readonly statusSuffices?: boolean;
}

const nothing = Buffer.alloc(0);

/** A value that a header cannot carry is the fault of who gave it to us, not one of ours (T30). */
function requireSendable(leg: PartnerLeg, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) {
    if (!headerValuePattern.test(headers[name]!)) throw new PartnerGarbled(leg, 'UNEXPECTED_RESPONSE_ERROR', { cause: 'header' });
  }
}
