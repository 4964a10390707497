import { prepareSigning } from '../../../domain/credentials/signing/signing-string';
import type { Relay } from '../../../domain/exchanges/exchange';
import type { HostApp } from '../../../domain/partners/host-app';
import type { Integration } from '../../../domain/partners/integrations/integration';
import type { Miniapp } from '../../../domain/partners/miniapp';
import { PartnerGarbled, type PartnerLeg } from '../../../domain/partners/partner-errors';
import type { ErrorCode } from '../../../domain/shared/error-catalogue';
import type { Json, JsonObject } from '../../../domain/shared/json';
import { printInTurns } from '../../json/in-turns';
import type { Secret } from '../../../domain/shared/secret';
import type { DtoClass } from '../../dto/rule';
import { headerValuePattern } from './header-value';

/** The part of an answer that holds the fields, and its path prefix: `''` or `user_data.`. */
export interface AnswerPart {
  readonly prefix: string;
  readonly json: Json;
}

/** Describes how an answer is read. */
export interface Reading<Reply extends object> {
  readonly leg: PartnerLeg;
  readonly Reply: DtoClass<Reply>;
  /** Selects the part with the fields. Absent: the top level. */
  readonly part?: (answer: JsonObject) => AnswerPart;
  /** The error code for a field that is present but invalid, for all fields or by name; UNEXPECTED_RESPONSE_ERROR by default. */
  readonly malformed?: ErrorCode | Readonly<Record<string, ErrorCode>>;
  /** Relays a refusal to the caller as a whole, not only the members of the Error body (contract/payments#refusals-of-the-host-app). */
  readonly relaysRefusals?: boolean;
}

/** One kind of request to a partner: its body and endpoint. */
export interface PartnerRequest<Input> {
  readonly leg: PartnerLeg;
  readonly method: 'GET' | 'POST';
  /** The setting that holds the URL, by its name in the manage API. */
  readonly setting: string;
  readonly url: (integration: Integration) => string | undefined;
  /** Headers of this kind of call, in addition to those of every call. */
  readonly headers?: (input: Input) => Readonly<Record<string, string>>;
  /** Absent: the call has no body. */
  readonly body?: (input: Input) => JsonObject;
  /** Whether the call may be repeated when its keep-alive connection was closed; a GET always may. */
  readonly repeatable?: boolean;
}

/** One kind of call to a partner: its body, its endpoint, and the reply. */
export interface PartnerCall<Input, Reply extends object> extends PartnerRequest<Input>, Reading<Reply> {}

/** One call: its integration and input. */
export interface Sending<Input> {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly input: Input;
  /** Replaces the service's own credentials. */
  readonly userToken?: Secret;
  /** 1, or 2 when the whole call is a repeat. */
  readonly attempt?: number;
}

/** The partner that a call goes to. */
export const receiverOf = ({ side }: PartnerLeg, { hostApp, miniapp }: Integration): HostApp | Miniapp =>
  side === 'hostapp' ? hostApp : miniapp;

/** One request as it is sent. */
export interface PartnerDraft {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Serialised once: exactly these bytes are signed and sent. */
  readonly body?: Buffer;
}

/** Builds the request of one call to `url`, without credentials. Source: contract/partner-calls#what-every-call-carries. */
export async function draftOf<Input>(
  call: PartnerRequest<Input>,
  { relay, integration, input }: Sending<Input>,
  url: string,
): Promise<PartnerDraft> {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Accept-Encoding': 'identity',
    'User-Agent': 'Pierhead',
    'Content-Type': 'application/json',
    'X-Hostapp-Client-ID': integration.hostApp.id,
    'X-Miniapp-App-ID': integration.miniapp.id,
    'X-Request-Id': relay.requestId,
  };
  if (relay.traceparent !== undefined) headers['traceparent'] = relay.traceparent;
  Object.assign(headers, call.headers?.(input));
  if (!call.body) return { method: call.method, url, headers };
  const { signature } = receiverOf(call.leg, integration).settings;
  const body = Buffer.from(await printInTurns(call.body(input), signature.enabled ? prepareSigning(signature).form : {}));
  return { method: call.method, url, headers, body };
}

/** Adds the credential headers to the draft. Throws PartnerGarbled for a value that no header can hold, because the partner supplied it. */
export function proven<Draft extends PartnerDraft>(leg: PartnerLeg, draft: Draft, proving: Readonly<Record<string, string>>): Draft {
  const headers: Record<string, string> = Object.assign({}, draft.headers, proving);
  for (const name in headers) {
    if (!headerValuePattern.test(headers[name]!)) throw new PartnerGarbled(leg, 'UNEXPECTED_RESPONSE_ERROR', { cause: 'header' });
  }
  return Object.assign({}, draft, { headers });
}
