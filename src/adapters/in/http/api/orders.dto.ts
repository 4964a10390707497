import { Decimal, Description, Flag, Id, JsonMembers, Nested, Optional, Quantity, Required, Text } from '../../../dto/decorators';
import { ItemList } from '../../../dto/item-list';
import type { JsonArray, JsonNumber, JsonObject } from '../../../../domain/shared/json';

// The order objects of contract/payments#order. They are validated here but relayed as they were sent, including unknown members.

type DecimalValue = string | JsonNumber;
const code = { max: 100 };
const name = { max: 250 };
const line = { max: 1000 };
const id = { max: 255 };
const freeText = { max: 10_000 };

@Description('One line of an order.')
export class OrderItemDto {
  @Optional('What the user buys, as the host app may show it.') @Text(name) product_name?: string;
  @Optional('Variant of the product, such as size or colour.') @Text(name) product_variant_name?: string;
  @Optional('Stock keeping unit, by which the seller finds the product.') @Text(name) product_sku?: string;
  @Optional('Address of a picture of the product.') @Text({ max: 500 }) product_image_url?: string;
  @Optional('Number of pieces.') @Quantity() quantity?: DecimalValue;
  @Optional('Price of one piece, in the currency of the order.') @Decimal() price?: DecimalValue;
  @Optional('Reduction on this line, in the currency of the order.') @Decimal() discount?: DecimalValue;
}

@Description('Postal address of a recipient; no member is required.')
class OrderShippingAddressDto {
  @Optional('Street and house number.') @Text(line) address1?: string;
  @Optional('Second line, such as flat, floor or building.') @Text(line) address2?: string;
  @Optional('Given name of the recipient.') @Text(name) first_name?: string;
  @Optional('Family name of the recipient.') @Text(name) last_name?: string;
  @Optional('Number at which the carrier reaches the recipient, in any notation.') @Text(name) phone?: string;
  @Optional('Name of the region; the service does not check it.') @Text(code) region_name?: string;
  @Optional('Short code of the region, such as a subdivision of ISO 3166-2.') @Text(code) region_code?: string;
  @Optional('Name of the province or state.') @Text(code) province_name?: string;
  @Optional('Short code of the province or state, such as `CA`.') @Text(code) province_code?: string;
  @Optional('Town or city of the address.') @Text(code) city?: string;
  @Optional('Country by name or code; the service does not check which.') @Text(code) country?: string;
  @Optional('Postal or ZIP code, as text, so that leading zeros stay.') @Text(code) postal_code?: string;
  @Optional('Degrees north of the equator, negative south of it.')
  @Decimal({ digits: 17, scale: 15, min: '-90', max: '90', allowNegative: true })
  latitude?: DecimalValue;
  @Optional('Degrees east of Greenwich, negative west of it.')
  @Decimal({ digits: 18, scale: 15, min: '-180', max: '180', allowNegative: true })
  longitude?: DecimalValue;
}

@Description('What the user is to pay for. Members that are not listed here travel to the host app, too.')
export class OrderDetailsDto {
  @Required('Currency of all amounts of the order, such as `USD`.') @Text({ min: 1, max: 20 }) currency!: string;
  @Required('Total that the user has to pay.') @Decimal() amount!: DecimalValue;
  @Optional('Part of `amount` that pays for the goods; the service does not add up.') @Decimal() subtotal_amount?: DecimalValue;
  @Optional('Part of `amount` that pays for the transport.') @Decimal() shipping_amount?: DecimalValue;
  @Optional('Reduction on the whole order; `amount` is what remains.') @Decimal() discount_amount?: DecimalValue;
  @Optional('Part of `amount` that is tax.') @Decimal() tax_amount?: DecimalValue;
  @Optional('Name of the tax, as the host app may show it, such as `VAT`.') @Text(name) tax_title?: string;
  @Optional('Whether the prices of `items` contain the tax already.') @Flag() taxes_included?: boolean;
  @Optional('Remark of the user or the miniapp on the order.') @Text(freeText) note?: string;
  @Optional('Id of the order in the miniapp.') @Id(id) miniapp_order_id?: string;
  @Optional('Reference of the paying user at the host app; required while the host app has `use_access_token` on.')
  @Id(id)
  hostapp_user_id?: string;
  @Optional('One entry for each line of the order.') @ItemList(() => OrderItemDto) items?: JsonArray;
  @Optional('Where the goods are sent; absent for what needs no transport.')
  @Nested(() => OrderShippingAddressDto)
  shipping_address?: OrderShippingAddressDto;
  @Optional('Further data that miniapp and host app agreed on, relayed unchanged.') @JsonMembers() custom_attributes?: JsonObject;
}

export class CreateOrderPaymentDto {
  @Required('What the user is to pay for. It reaches the host app with its members in order and its numbers as written.')
  @Nested(() => OrderDetailsDto)
  order!: OrderDetailsDto;
}

export class GetPaymentStatusDto {
  @Required('Id of the payment, from the answer to create-order-payment.') @Id({ min: 1, max: 255 }) order_payment_id!: string;
}

export class CompleteOrderDto extends GetPaymentStatusDto {
  /** The domain decides which words are valid. */
  @Required('Result of the payment: `paid`, `cancelled` or `failed`; `in_process` (or `processing`) settles nothing.')
  @Text({ max: 250 })
  payment_status!: string;
  @Optional('Why the payment failed, in words for the miniapp, which gets them with the webhook.')
  @Text(freeText)
  payment_fail_reason?: string;
  @Optional('Further data about the result, passed on to the miniapp with the webhook.') @JsonMembers() custom_attributes?: JsonObject;
}
