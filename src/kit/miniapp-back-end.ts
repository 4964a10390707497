import { provesBasic } from './basic';
import type { Completion, MiniappTokens, ReceivedEvent, UserData } from './bodies';
import { CallRefused } from './call-refused';
import { PlatformServer, type BackEndSettings, type PlatformCall, type PlatformHandler, type PlatformRequest } from './platform-server';
import { headerIn } from './verify';

export interface MiniappSettings extends BackEndSettings {
  readonly appId: string;
  /** The Secret key for Basic, in both directions. */
  readonly secretKey: string;
}

type Act<Body, Answer> = (body: Body, call: PlatformCall) => Answer | Promise<Answer>;

/** A miniapp's back end: request handlers for the three URLs that are registered at the platform. */
export class MiniappBackEnd {
  private readonly server: PlatformServer;

  /** Throws TypeError where the agreed signature is incomplete. */
  constructor(private readonly settings: MiniappSettings) {
    this.server = new PlatformServer(settings, { header: 'X-Miniapp-App-ID', id: settings.appId });
  }

  /** Handles the Get auth token URL: a user of a host app gets a session. Identify users by `call.client_id` and `reference` together. */
  signOn(act: Act<UserData, MiniappTokens>): PlatformHandler {
    return this.server.take<UserData>({ admit: this.admit }, act);
  }

  /**
   * Handles the Webhook URL: a payment's result. It arrives at least once: store `call.deliveryId`. Return when the result is stored; throw
   * to get it again; throw CallRefused to reject it without a repeat.
   */
  completion(act: Act<Completion, unknown>): PlatformHandler {
    return this.server.take<Completion>(
      { admit: this.admit, needs: { order_payment_id: 'string', payment_status: 'string' }, receipt: true },
      act,
    );
  }

  /** Handles the Events bridge URL: an event of the host app. Returns the miniapp's answer. */
  event(act: Act<ReceivedEvent, unknown>): PlatformHandler {
    return this.server.take<ReceivedEvent>({ admit: this.admit, needs: { event_type: 'string', payload: 'object' } }, act);
  }

  private readonly admit = async (request: PlatformRequest): Promise<undefined> => {
    if (await this.server.proveSignature(request)) return;
    const { appId: id, secretKey: secret } = this.settings;
    if (provesBasic(headerIn(request.rawHeaders, 'Authorization'), { id, secret })) return;
    throw new CallRefused('ACCESS_DENIED', 'The credentials are missing or wrong', { status: 401 });
  };
}
