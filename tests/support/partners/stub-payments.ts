import { JsonObject } from '../../../src/domain/shared/json';
import { readJson } from '../../../src/domain/shared/read-json';
import { printJson } from '../../../src/domain/shared/print-json';
import { aPair, type Pair, type PairSettings } from '../signatures/a-pair';
import { PaymentRecords } from '../payments/payment-records';
import type { TestService } from '../service/service';
import { json, refusalOf, type Behaviour } from './stub-behaviours';
import type { Received } from './stub-partner';
import { StubHostApp } from './stub-sign-on';

/** A host app's back end with the calls of sign-on and the two of payments. */
export class StubPayingHostApp extends StubHostApp {
  readonly payments = new PaymentRecords();

  constructor() {
    super();
    this.on('/create', (received, response) => this.create(received)(received, response));
    this.on('/status', (received, response) => this.status(received)(received, response));
  }

  /** The two URLs, as the manage API names them. */
  get paymentUrls(): Readonly<Record<string, string>> {
    return { create_order_payment_url: `${this.url}/create`, get_order_payment_status_url: `${this.url}/status` };
  }

  private create({ body, headers }: Received): Behaviour {
    const request = readJson(body) as JsonObject;
    const user = userOf(headers);
    if (!this.payments.takes(user.accessToken)) return refusalOf('EXPIRED_ACCESS_TOKEN', { status: 401 });
    const order = printJson(request.get('order') as JsonObject);
    const idempotencyKey = String(headers['idempotency-key']);
    return json({ order_payment_id: this.payments.open({ appId: request.get('app_id') as string, order, idempotencyKey, ...user }) });
  }

  private status({ body, headers }: Received): Behaviour {
    if (!this.payments.takes(userOf(headers).accessToken)) return refusalOf('EXPIRED_ACCESS_TOKEN', { status: 401 });
    const request = readJson(body) as JsonObject;
    const standing = this.payments.status(request.get('order_payment_id') as string);
    if (!standing) return refusalOf('PAYMENT_NOT_FOUND');
    const { word: payment_status, failReason: payment_fail_reason, customAttributes: custom_attributes } = standing;
    const answer = new JsonObject(new Map([...request.members, ['payment_status', payment_status]]));
    return json(printJson(JsonObject.of({ ...Object.fromEntries(answer.members), payment_fail_reason, custom_attributes })));
  }
}

/** A user's token comes with the user's name; without one the call is ours. */
function userOf({ authorization = '', 'x-user-id': id }: Received['headers']): {
  userId: string | undefined;
  accessToken: string | undefined;
} {
  const userId = typeof id === 'string' ? id : undefined;
  return { userId, accessToken: userId === undefined ? undefined : authorization.replace(/^\S+ /, '') };
}

/** A pair whose miniapp may ask for payments from loopback, and whose host app answers here. */
export function aPayingPair(
  service: Pick<TestService, 'manage' | 'canary'>,
  hostApp: StubPayingHostApp,
  { hostApp: hostSettings, miniapp: miniSettings, ...more }: PairSettings = {},
): Promise<Pair> {
  return aPair(service, {
    hostAppUrl: hostApp.url,
    hostApp: { ...hostApp.paymentUrls, ...hostSettings },
    miniapp: { ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8', '::1'] }, ...miniSettings },
    ...more,
  });
}
