import { provesBasic } from './basic';
import type { Completion, MiniappTokens, ReceivedEvent, UserData } from './bodies';
import { CallRefused } from './call-refused';
import { PlatformDoor, type BackEndSettings, type PlatformCall, type PlatformHandler, type PlatformRequest } from './platform-door';
import { headerIn } from './verify';

export interface MiniappSettings extends BackEndSettings {
  readonly appId: string;
  /** The Secret key: what Basic proves, in both directions. */
  readonly secretKey: string;
}

type Act<Body, Answer> = (body: Body, call: PlatformCall) => Answer | Promise<Answer>;

/** A miniapp's back end: what answers the platform at the three URLs that are registered there. */
export class MiniappBackEnd {
  private readonly door: PlatformDoor;

  /** Throws TypeError where the agreed signature is not complete. */
  constructor(private readonly settings: MiniappSettings) {
    this.door = new PlatformDoor(settings, { header: 'X-Miniapp-App-ID', id: settings.appId });
  }

  /** Get auth token URL: a user of a host app wants a session. Know users by `call.client_id` and `reference` together. */
  signOn(act: Act<UserData, MiniappTokens>): PlatformHandler {
    return this.door.take<UserData>({ admit: this.admit }, act);
  }

  /**
   * Webhook URL: how a payment ended. It comes at least once: keep `call.deliveryId`. Returning says that it is kept; throwing,
   * that it must come again; a CallRefused says no, and it does not come again.
   */
  completion(act: Act<Completion, unknown>): PlatformHandler {
    return this.door.take<Completion>(
      { admit: this.admit, needs: { order_payment_id: 'string', payment_status: 'string' }, receipt: true },
      act,
    );
  }

  /** Events bridge URL: an event of the host app; returns its answer. */
  event(act: Act<ReceivedEvent, unknown>): PlatformHandler {
    return this.door.take<ReceivedEvent>({ admit: this.admit, needs: { event_type: 'string', payload: 'object' } }, act);
  }

  private readonly admit = async (request: PlatformRequest): Promise<undefined> => {
    if (await this.door.proveSignature(request)) return;
    const { appId: id, secretKey: secret } = this.settings;
    if (provesBasic(headerIn(request.rawHeaders, 'Authorization'), { id, secret })) return;
    throw new CallRefused('ACCESS_DENIED', 'The credentials are missing or wrong', { status: 401 });
  };
}
