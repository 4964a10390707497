import type { PartnerCall } from '../../../src/adapters/out/partner-http/partner-call';
import type { exchangeCode, readUser } from '../../../src/adapters/out/partner-http/sso/host-app-calls';
import type { createOrderPayment, readPaymentStatus } from '../../../src/adapters/out/partner-http/payments/host-app-payment-calls';
import type { getAuthToken } from '../../../src/adapters/out/partner-http/sso/miniapp-calls';
import { TransactionDto } from '../../../src/adapters/in/http/api/analytics.dto';
import { SaveConsentDto } from '../../../src/adapters/in/http/api/consent.dto';
import { EventDto } from '../../../src/adapters/in/http/api/events.dto';
import { CompleteOrderDto, OrderDetailsDto, type OrderItemDto } from '../../../src/adapters/in/http/api/orders.dto';
import { UserDataDto } from '../../../src/adapters/in/http/api/sign-on.dto';
import { readDto } from '../../../src/adapters/dto/read-dto';
import { JsonObject, type Json, type JsonArray, type JsonNumber } from '../../../src/domain/shared/json';
import { readJson } from '../../../src/domain/shared/read-json';
import type * as kit from '../../../src/kit/kit';

/** What the service reads, as a partner writes it. */
type Written<T> = T extends JsonNumber
  ? number
  : T extends JsonObject
    ? kit.JsonMembers
    : [Json] extends [T]
      ? kit.JsonValue
      : [T] extends [JsonArray]
        ? T extends readonly string[]
          ? readonly string[]
          : readonly kit.JsonValue[]
        : T extends readonly (infer Item)[]
          ? readonly Written<Item>[]
          : T;
type Present<T> = Exclude<T, null | undefined>;
type Mutual<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type RequiredIn<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];
type Members<Fields, Body, K> = K extends keyof Fields & keyof Body
  ? Fields[K] extends object | undefined
    ? true
    : Mutual<Written<Present<Fields[K]>>, Present<Body[K]>>
  : false;

/** True: the same members, the same of them required, and values of the same types (objects are compared for themselves). */
type Agrees<Fields, Body> = Mutual<
  [Mutual<keyof Fields, keyof Body>, Mutual<RequiredIn<Fields>, RequiredIn<Body>>, Members<Fields, Body, keyof Fields>],
  [true, true, true]
>;
type ReplyOf<Call> = Call extends PartnerCall<infer _Input, infer Reply> ? Reply : never;
type Address = NonNullable<OrderDetailsDto['shipping_address']>;

/** Compiles where the service's facts and the kit's bodies agree: `npm run types` is what fails. */
const agreements = [
  true satisfies Agrees<UserDataDto, kit.UserData>,
  true satisfies Agrees<OrderDetailsDto, kit.OrderDetails>,
  true satisfies Agrees<OrderItemDto, kit.OrderItem>,
  true satisfies Agrees<Address, kit.OrderShippingAddress>,
  true satisfies Agrees<Omit<CompleteOrderDto, 'payment_status'>, Omit<kit.PaymentResult, 'payment_status'>>,
  true satisfies Agrees<EventDto, kit.EventToSend>,
  true satisfies Agrees<SaveConsentDto, kit.ConsentGiven>,
  true satisfies Agrees<TransactionDto, kit.Transaction>,
  true satisfies Agrees<ReplyOf<typeof exchangeCode>, kit.UserTokens>,
  true satisfies Agrees<ReplyOf<typeof readUser>, kit.UserData>,
  true satisfies Agrees<ReplyOf<typeof createOrderPayment>, kit.OpenedPayment>,
  true satisfies Agrees<ReplyOf<typeof readPaymentStatus>, kit.StatusAnswer>,
  true satisfies Agrees<ReplyOf<typeof getAuthToken>, kit.MiniappTokens>,
  // A member more, one less, another type, one that is not required: each is seen.
  false satisfies Agrees<UserDataDto, kit.UserData & { readonly age?: number }>,
  false satisfies Agrees<UserDataDto, Omit<kit.UserData, 'phone'>>,
  false satisfies Agrees<UserDataDto, Omit<kit.UserData, 'phone'> & { readonly phone?: number }>,
  false satisfies Agrees<UserDataDto, Omit<kit.UserData, 'reference'> & { readonly reference?: string }>,
] as const;

const order: Required<kit.OrderDetails> = {
  ...{ currency: 'USD', amount: '24.90', subtotal_amount: 20, shipping_amount: '1', discount_amount: '0', tax_amount: 3.9 },
  ...{ tax_title: 'VAT', taxes_included: true, note: 'a note', miniapp_order_id: 'o-1', hostapp_user_id: 'u-1' },
  items: [
    {
      ...{ product_name: 'Ticket', product_variant_name: 'Child', product_sku: 't-1', product_image_url: 'https://i.example/1' },
      ...{ quantity: 2, price: '12.45', discount: null },
    },
  ],
  shipping_address: {
    ...{ address1: 'Pier 1', address2: 'B', first_name: 'Mia', last_name: 'Berg', phone: '1', region_name: 'R', region_code: 'r' },
    ...{ province_name: 'P', province_code: 'p', city: 'C', country: 'NO', postal_code: '0001', latitude: '59.9', longitude: 10.7 },
  },
  custom_attributes: { any: [1, 'two', null] },
};
const bodies: readonly (readonly [new () => object, object])[] = [
  [
    UserDataDto,
    {
      ...{ reference: 'u-1', email: 'mia@example.com', phone: '+12025550101', first_name: 'Mia', last_name: 'Berg' },
      custom_attributes: {},
    } satisfies Required<kit.UserData>,
  ],
  [OrderDetailsDto, order],
  [
    CompleteOrderDto,
    {
      ...{ order_payment_id: 'op', payment_status: 'paid', payment_fail_reason: 'none', custom_attributes: {} },
    } satisfies Required<kit.PaymentResult>,
  ],
  [EventDto, { event_type: 'a', payload: { b: 1 }, ordering_key: 'k' } satisfies Required<kit.EventToSend>],
  [SaveConsentDto, { user_reference: 'u', fields: ['email'], text_version: '1' } satisfies Required<kit.ConsentGiven>],
  [
    TransactionDto,
    {
      ...{ transaction_id: 't', amount: 1.5, currency: 'EUR', status: 'refunded', user_reference: 'u', miniapp_order_id: 'o' },
      ...{ order_payment_id: 'p', shipping: '1', tax: '1', discount: '1', items: [{}], customer: {}, custom_attributes: {} },
      occurred_at: '2026-01-15T10:30:00Z',
    } satisfies Required<kit.Transaction>,
  ],
];

describe("the kit's bodies", () => {
  it.each(bodies)('with every member are read as %p', (Fields, body) => {
    const json = readJson(Buffer.from(JSON.stringify(body)));
    const { dto, problems } = readDto(Fields, json instanceof JsonObject ? json : new JsonObject(new Map()));
    expect(problems).toEqual([]);
    expect(Object.keys(dto).sort()).toEqual(Object.keys(body).sort());
  });

  it('agree with what the service reads', () => {
    expect(agreements.filter(Boolean)).toHaveLength(13);
  });
});
