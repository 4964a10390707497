import type { Relay } from '../../../domain/exchanges/exchange';
import type { HostApp } from '../../../domain/partners/host-app';
import type { Integration } from '../../../domain/partners/integration';
import type { Miniapp } from '../../../domain/partners/miniapp';
import type { PartnerLeg } from '../../../domain/partners/partner-errors';
import type { ErrorCode } from '../../../domain/shared/error-catalogue';
import type { Json, JsonObject } from '../../../domain/shared/json';
import type { Secret } from '../../../domain/shared/secret';
import type { DtoClass } from '../../dto/rule';

/** The part of an answer in which the fields stand, and where that is: `''` or `user_data.`. */
export interface AnswerPart {
  readonly prefix: string;
  readonly json: Json;
}

/** How an answer is read. */
export interface Reading<Reply extends object> {
  readonly leg: PartnerLeg;
  readonly Reply: DtoClass<Reply>;
  /** Absent: the fields stand at the top level. */
  readonly part?: (answer: JsonObject) => AnswerPart;
  /** The code for a field that is there but not as agreed, for any or by name; UNEXPECTED_RESPONSE_ERROR. */
  readonly malformed?: ErrorCode | Readonly<Record<string, ErrorCode>>;
  /** A refusal goes out to our caller whole, not only by the members of the Error body (contract/payments#refusals-of-the-host-app). */
  readonly relaysRefusals?: boolean;
}

/** One kind of request to a partner: its body and endpoint. */
export interface PartnerRequest<Input> {
  readonly leg: PartnerLeg;
  readonly method: 'GET' | 'POST';
  /** The setting that holds the URL, named as on the wire. */
  readonly setting: string;
  readonly url: (integration: Integration) => string | undefined;
  /** Headers of this kind of call, beside those that every call has. */
  readonly headers?: (input: Input) => Readonly<Record<string, string>>;
  /** Absent: none is sent. */
  readonly body?: (input: Input) => JsonObject;
  /** May be sent again where a kept connection was closed under it; a GET may always. */
  readonly repeatable?: boolean;
}

/** One kind of call to a partner: its body, its endpoint, and the reply. */
export interface PartnerCall<Input, Reply extends object> extends PartnerRequest<Input>, Reading<Reply> {}

/** One call: its integration and input. */
export interface Sending<Input> {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly input: Input;
  /** Sent in place of credentials of our own. */
  readonly userToken?: Secret;
  /** 1, or 2 where the whole call is a repeat. */
  readonly attempt?: number;
}

/** The partner that a call goes to. */
export const receiverOf = ({ side }: PartnerLeg, { hostApp, miniapp }: Integration): HostApp | Miniapp =>
  side === 'hostapp' ? hostApp : miniapp;
