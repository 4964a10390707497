import { ManageCalls } from '../../sandbox/manage-calls';
import { memberOf } from '../../sandbox/read-body';
import { WrongUsage } from '../tasks/explain-request';
import { forwardRequest, type Forwarded, type ShownRequest } from './forward-request';
import { callPatiently, watchDeliveries, type ListedDelivery, type Watch } from './watch-deliveries';

/** The forwarded deliveries: their source and target. */
export interface ListenOptions {
  /** The URL of the service. */
  readonly serviceUrl: string;
  readonly operatorToken: string;
  readonly app?: string | undefined;
  readonly hostApp?: string | undefined;
  readonly forward: URL;
  /** Includes deliveries of the last seconds. */
  readonly sinceS?: number | undefined;
  /** Forwards only this delivery, once. */
  readonly replay?: string | undefined;
}

/** A forwarded delivery, or one that could not be forwarded. */
export interface ForwardedDelivery extends Partial<Forwarded> {
  readonly at: string;
  readonly id: string;
  readonly kind: string;
}

/** Callbacks of a run. */
export interface Listener {
  readonly onForwarded: (what: ForwardedDelivery) => void;
  /** Called when the service becomes unavailable or available again. */
  readonly onStatus: (line: string) => void;
  readonly stopping: AbortSignal;
}

/**
 * Forwards deliveries to a developer's machine until a stop is requested. With `replay`, resolves to whether the delivery was received.
 * Changes no delivery. Throws WrongUsage, and ManageCallFailed when the service refuses.
 */
export async function runListen(options: ListenOptions, listener: Listener): Promise<boolean> {
  const { app, hostApp, forward, sinceS, replay } = options;
  if (app === undefined && hostApp === undefined && replay === undefined) throw new WrongUsage('name --app, --host-app or both');
  const watch: Watch = {
    manage: new ManageCalls(options),
    filter: { ...(app !== undefined && { app_id: app }), ...(hostApp !== undefined && { client_id: hostApp }) },
    since: sinceS === undefined ? undefined : Date.now() - sinceS * 1000,
    stopping: listener.stopping,
    onAway: () => listener.onStatus('The service does not answer: waiting for it'),
    onBack: () => listener.onStatus('The service is back'),
  };
  if (replay !== undefined) return forwardOne(watch, await listedAs(watch, replay), { forward, listener });
  // Forwards deliveries to the miniapp if one is given, otherwise those to the host app.
  const receiver = app === undefined ? 'hostapp' : 'miniapp';
  listener.onStatus(`Listening for what goes to ${app ?? hostApp ?? ''}; each is forwarded to ${forward.href}`);
  for await (const delivery of watchDeliveries(watch)) {
    if (delivery.receiver === receiver) await forwardOne(watch, delivery, { forward, listener });
  }
  return true;
}

async function listedAs(watch: Watch, id: string): Promise<ListedDelivery> {
  const answer = await callPatiently(watch, 'GET', `deliveries/${encodeURIComponent(id)}`, [200, 404]);
  if (answer?.status === 404) throw new WrongUsage(`there is no delivery ${id}`);
  return answer?.body as ListedDelivery;
}

/** A delivery that the service would not send now is reported and skipped. True: the developer's machine received it. */
async function forwardOne(
  watch: Watch,
  { id, kind }: ListedDelivery,
  { forward, listener: { onForwarded, stopping } }: { forward: URL; listener: Listener },
): Promise<boolean> {
  const answer = await callPatiently(watch, 'POST', `deliveries/${id}/request`, [200, 404, 409]);
  if (!answer) return false;
  const at = new Date().toISOString();
  if (answer.status !== 200) {
    const detail = memberOf(answer.body, 'detail');
    onForwarded({ at, id, kind, reason: `not sent now: ${typeof detail === 'string' ? detail : String(answer.status)}` });
    return false;
  }
  const forwarded = await forwardRequest(answer.body as ShownRequest, forward, stopping);
  onForwarded({ at, id, kind, ...forwarded });
  return forwarded.status !== undefined && forwarded.status >= 200 && forwarded.status < 300;
}
