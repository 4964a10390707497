import { EndpointNotSet, PartnerUnreachable } from '../../../domain/partners/partner-errors';
import type { Json } from '../../../domain/shared/json';
import { endpointCall, type PartnerAdmission, type CallSlot } from './isolation/partner-admission';
import type { OutboundCredentials, Proof } from './outbound-credentials';
import type { OutboundGuard } from './outbound-guard';
import { readAnswer, readPassedOn, type PartnerAnswer } from './partner-answer';
import { draftOf, proven, receiverOf, type PartnerCall, type PartnerDraft, type PartnerRequest, type Sending } from './partner-call';
import { StaleConnection, type PartnerSender } from './partner-sender';

interface Deps {
  readonly sender: PartnerSender;
  readonly credentials: OutboundCredentials;
  readonly guard: OutboundGuard;
  /** Absent: calls need no slot. */
  readonly admission?: PartnerAdmission | undefined;
}

/** Reads an answer; `bodyOptional` as in LegRequest. */
interface Reader<Reply> {
  readonly read: (answer: PartnerAnswer) => Reply | Promise<Reply>;
  readonly bodyOptional?: boolean;
}

/**
 * Sends every call to a partner with its credentials, within limits of time and slots, and with a checked answer; records it in the trace.
 * Source: contract/partner-calls#what-every-call-carries.
 */
export class PartnerHttpClient {
  constructor(private readonly deps: Deps) {}

  /**
   * Resolves to the fields of the answer. Throws EndpointNotSet, PartnerBusy, the partner-* kinds, and the errors of the credentials.
   * Repeats once after a 401 to a client access token, and a GET once after its keep-alive connection turned out to be closed; nothing
   * else.
   */
  send<Input, Reply extends object>(call: PartnerCall<Input, Reply>, sending: Sending<Input>): Promise<Reply> {
    return this.inSlot(call, sending, { read: (answer) => readAnswer(call, answer, sending.userToken !== undefined) });
  }

  /** Like send, but resolves to the whole JSON of a 2xx answer, unchecked; `undefined` when there is none. */
  relay<Input>(call: PartnerRequest<Input>, sending: Sending<Input>): Promise<Json | undefined> {
    return this.inSlot(call, sending, { read: (answer) => readPassedOn(call.leg, answer) });
  }

  /**
   * Like send, but accepts any answer, whatever its status and body; an incomplete body is read as empty. Deliveries have circuits and
   * slots of their own (ADR 015).
   */
  deliver<Input>(call: PartnerRequest<Input>, sending: Sending<Input>): Promise<PartnerAnswer> {
    return this.converse(call, sending, { read: (answer) => answer, bodyOptional: true });
  }

  /** Builds the request that `deliver` would send now, with its credentials, without sending it. Throws as `send` does before it sends. */
  async draft<Input>(call: PartnerRequest<Input>, sending: Sending<Input>): Promise<Required<PartnerDraft>> {
    const draft = { body: nothing, ...(await draftOf(call, sending, this.urlOf(call, sending))) };
    const { headers } = await this.deps.credentials.prove(call.leg, sending, draft);
    return proven(call.leg, draft, headers);
  }

  private async inSlot<Input, Reply>(call: PartnerRequest<Input>, sending: Sending<Input>, reader: Reader<Reply>): Promise<Reply> {
    const { relay, integration } = sending;
    const endpoint = endpointCall(call.leg, integration, this.urlOf(call, sending));
    const slot = await this.deps.admission?.slotFor(relay, endpoint, integration.id);
    let wentWell = false;
    try {
      const reply = await this.converse(call, sending, reader, slot);
      wentWell = true;
      return reply;
    } finally {
      slot?.close(wentWell);
    }
  }

  /** Sends the request, and repeats it once where that is allowed. */
  private async converse<Input, Reply>(
    call: PartnerRequest<Input>,
    sending: Sending<Input>,
    { read, bodyOptional = false }: Reader<Reply>,
    slot?: CallSlot,
  ): Promise<Reply> {
    const { leg } = call;
    const { relay, integration, attempt: first = 1 } = sending;
    const receiver = receiverOf(leg, integration);
    const about = { clientId: integration.hostApp.id, appId: integration.miniapp.id };
    const draft = await draftOf(call, sending, this.urlOf(call, sending));
    const { method, url, headers: drafted, body = nothing } = draft;
    const prove = (): Promise<Proof> => this.deps.credentials.prove(leg, sending, { method, url, headers: drafted, body });
    let status: number | undefined;
    const exchange = (attempt: number, { headers }: Proof): Promise<Reply> => {
      const request = proven(leg, draft, headers);
      return this.deps.sender.send({ relay, leg, receiver, attempt, about, request, bodyOptional, slot }, (answer) => {
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
    // The URL may have been stored under other rules: a deployment can restrict them later.
    if (this.deps.guard.urlProblem(stored) !== undefined) throw new PartnerUnreachable(leg, 'denied-address');
    return stored;
  }
}

const nothing = Buffer.alloc(0);
