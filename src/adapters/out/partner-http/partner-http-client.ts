import { EndpointNotSet, PartnerUnreachable } from '../../../domain/partners/partner-errors';
import type { Json } from '../../../domain/shared/json';
import { endpointCall, type PartnerAdmission, type PlaceOfCall } from './isolation/partner-admission';
import type { OutboundCredentials, Proof } from './outbound-credentials';
import type { OutboundGuard } from './outbound-guard';
import { readAnswer, readPassedOn, type PartnerAnswer } from './partner-answer';
import { receiverOf, type PartnerCall, type PartnerRequest, type Sending } from './partner-call';
import { draftOf, proven, type PartnerDraft } from './partner-draft';
import { StaleConnection, type PartnerSender } from './partner-sender';

interface Deps {
  readonly sender: PartnerSender;
  readonly credentials: OutboundCredentials;
  readonly guard: OutboundGuard;
  /** Absent: calls take no places. */
  readonly admission?: PartnerAdmission | undefined;
}

/** How an answer is read; `bodyOptional` as in LegRequest. */
interface Reader<Reply> {
  readonly read: (answer: PartnerAnswer) => Reply;
  readonly bodyOptional?: boolean;
}

/** Sends every call to a partner: proven, bounded, checked and recorded in the trace. Source: contract/partner-calls#what-every-call-carries. */
export class PartnerHttpClient {
  constructor(private readonly deps: Deps) {}

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
   * As send, but any answer is one, whatever its status and body; a body that cannot be read whole is empty. Deliveries have circuits
   * and places of their own (ADR 015).
   */
  deliver<Input>(call: PartnerRequest<Input>, sending: Sending<Input>): Promise<PartnerAnswer> {
    return this.converse(call, sending, { read: (answer) => answer, bodyOptional: true });
  }

  /** What `deliver` would send now, with what proves it; it is not sent. Throws as `send` does before it sends. */
  async draft<Input>(call: PartnerRequest<Input>, sending: Sending<Input>): Promise<Required<PartnerDraft>> {
    const draft = { body: nothing, ...draftOf(call, sending, this.urlOf(call, sending)) };
    const { headers } = await this.deps.credentials.prove(call.leg, sending, draft);
    return proven(call.leg, draft, headers);
  }

  private async inPlace<Input, Reply>(call: PartnerRequest<Input>, sending: Sending<Input>, reader: Reader<Reply>): Promise<Reply> {
    const { relay, integration } = sending;
    const endpoint = endpointCall(call.leg, integration, this.urlOf(call, sending));
    const place = await this.deps.admission?.placeFor(relay, endpoint, integration.id);
    let wentWell = false;
    try {
      const reply = await this.converse(call, sending, reader, place);
      wentWell = true;
      return reply;
    } finally {
      place?.close(wentWell);
    }
  }

  /** Sends the request, and once more where that is allowed. */
  private async converse<Input, Reply>(
    call: PartnerRequest<Input>,
    sending: Sending<Input>,
    { read, bodyOptional = false }: Reader<Reply>,
    place?: PlaceOfCall,
  ): Promise<Reply> {
    const { leg } = call;
    const { relay, integration, attempt: first = 1 } = sending;
    const receiver = receiverOf(leg, integration);
    const about = { clientId: integration.hostApp.id, appId: integration.miniapp.id };
    const draft = draftOf(call, sending, this.urlOf(call, sending));
    const { method, url, headers: drafted, body = nothing } = draft;
    const prove = (): Promise<Proof> => this.deps.credentials.prove(leg, sending, { method, url, headers: drafted, body });
    let status: number | undefined;
    const exchange = (attempt: number, { headers }: Proof): Promise<Reply> => {
      const request = proven(leg, draft, headers);
      return this.deps.sender.send({ relay, leg, receiver, attempt, about, request, bodyOptional, place }, (answer) => {
        status = answer.status;
        return read(answer);
      });
    };
    const proof = await prove();
    try {
      const reply = await exchange(first, proof);
      if (status !== 401 || !proof.renew) return reply;
    } catch (error) {
      const unseen = error instanceof StaleConnection && (call.method === 'GET' || call.repeatable === true);
      const expired = status === 401 && proof.renew !== undefined;
      if (!unseen && !expired) throw error;
    }
    if (status === 401) await proof.renew?.();
    return exchange(first + 1, await prove());
  }

  private urlOf<Input>({ leg, setting, url }: PartnerRequest<Input>, { integration }: Sending<Input>): string {
    const stored = url(integration);
    if (stored === undefined) throw new EndpointNotSet(leg, setting);
    // Stored under other rules, perhaps: a deployment can be narrowed.
    if (this.deps.guard.urlProblem(stored) !== undefined) throw new PartnerUnreachable(leg, 'denied-address');
    return stored;
  }
}

const nothing = Buffer.alloc(0);
