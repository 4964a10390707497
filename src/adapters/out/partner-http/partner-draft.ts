import { prepareSigning } from '../../../domain/credentials/signing-string';
import { printJson } from '../../../domain/shared/json';
import type { PartnerRequest, Sending } from './partner-call';

/** One request as it will be sent, but for what proves it to be ours. */
export interface PartnerDraft {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Printed once, in the form that the receiver signs and checks: these very bytes are signed, and sent. */
  readonly body?: Buffer;
}

/** Drafts one call to `url`. Source: decisions §3, Calls to partners. */
export function draftOf<Input>(call: PartnerRequest<Input>, sending: Sending<Input>, url: string): PartnerDraft {
  const body = bodyOf(call, sending);
  const headers = commonHeaders(sending);
  if (call.headers) Object.assign(headers, call.headers(sending.input));
  return body ? { method: call.method, url, headers, body } : { method: call.method, url, headers };
}

function commonHeaders({ relay, integration }: Sending<unknown>): Record<string, string> {
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
  return headers;
}

function bodyOf<Input>({ leg, body }: PartnerRequest<Input>, { input, integration }: Sending<Input>): Buffer | undefined {
  if (!body) return undefined;
  const { signature } = (leg.side === 'hostapp' ? integration.hostApp : integration.miniapp).settings;
  return Buffer.from(printJson(body(input), signature.enabled ? prepareSigning(signature).form : {}));
}
