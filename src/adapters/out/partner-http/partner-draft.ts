import { prepareSigning } from '../../../domain/credentials/signing-string';
import { PartnerGarbled, type PartnerLeg } from '../../../domain/partners/partner-errors';
import { printJson } from '../../../domain/shared/json';
import { headerValuePattern } from './header-value';
import { receiverOf, type PartnerRequest, type Sending } from './partner-call';

/** One request as it is sent. */
export interface PartnerDraft {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Printed once, in the form that the receiver signs and checks: these very bytes are signed, and sent. */
  readonly body?: Buffer;
}

/** Drafts one call to `url`, without credentials. Source: contract/partner-calls#what-every-call-carries. */
export function draftOf<Input>(call: PartnerRequest<Input>, { relay, integration, input }: Sending<Input>, url: string): PartnerDraft {
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
  const body = Buffer.from(printJson(call.body(input), signature.enabled ? prepareSigning(signature).form : {}));
  return { method: call.method, url, headers, body };
}

/** The draft with the headers that prove us. Throws PartnerGarbled for a value that no header can hold: its source is at fault. */
export function proven<Draft extends PartnerDraft>(leg: PartnerLeg, draft: Draft, proving: Readonly<Record<string, string>>): Draft {
  const headers: Record<string, string> = Object.assign({}, draft.headers, proving);
  for (const name in headers) {
    if (!headerValuePattern.test(headers[name]!)) throw new PartnerGarbled(leg, 'UNEXPECTED_RESPONSE_ERROR', { cause: 'header' });
  }
  return Object.assign({}, draft, { headers });
}
