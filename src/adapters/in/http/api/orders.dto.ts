import { Decimal, Flag, Id, JsonMembers, Nested, NestedList, Optional, Quantity, Required, Text } from '../../../dto/decorators';
import type { JsonNumber, JsonObject } from '../../../../domain/shared/json';

// The order objects of contract/payments#order. They are judged here and travel as they came, with members that are not named here.

type DecimalValue = string | JsonNumber;
const code = { max: 100 };
const name = { max: 250 };
const line = { max: 1000 };
const id = { max: 255 };
const freeText = { max: 10_000 };

class OrderItemDto {
  @Optional() @Text(name) product_name?: string;
  @Optional() @Text(name) product_variant_name?: string;
  @Optional() @Text(name) product_sku?: string;
  @Optional() @Text({ max: 500 }) product_image_url?: string;
  @Optional() @Quantity() quantity?: DecimalValue;
  @Optional() @Decimal() price?: DecimalValue;
  @Optional() @Decimal() discount?: DecimalValue;
}

class OrderShippingAddressDto {
  @Optional() @Text(line) address1?: string;
  @Optional() @Text(line) address2?: string;
  @Optional() @Text(name) first_name?: string;
  @Optional() @Text(name) last_name?: string;
  @Optional() @Text(name) phone?: string;
  @Optional() @Text(code) region_name?: string;
  @Optional() @Text(code) region_code?: string;
  @Optional() @Text(code) province_name?: string;
  @Optional() @Text(code) province_code?: string;
  @Optional() @Text(code) city?: string;
  @Optional() @Text(code) country?: string;
  @Optional() @Text(code) postal_code?: string;
  @Optional() @Decimal({ digits: 17, scale: 15, min: '-90', max: '90', allowNegative: true }) latitude?: DecimalValue;
  @Optional() @Decimal({ digits: 18, scale: 15, min: '-180', max: '180', allowNegative: true }) longitude?: DecimalValue;
}

export class OrderDetailsDto {
  @Required() @Text({ min: 1, max: 20 }) currency!: string;
  @Required() @Decimal() amount!: DecimalValue;
  @Optional() @Decimal() subtotal_amount?: DecimalValue;
  @Optional() @Decimal() shipping_amount?: DecimalValue;
  @Optional() @Decimal() discount_amount?: DecimalValue;
  @Optional() @Decimal() tax_amount?: DecimalValue;
  @Optional() @Text(name) tax_title?: string;
  @Optional() @Flag() taxes_included?: boolean;
  @Optional() @Text(freeText) note?: string;
  @Optional() @Id(id) miniapp_order_id?: string;
  @Optional() @Id(id) hostapp_user_id?: string;
  @Optional() @NestedList(() => OrderItemDto) items?: OrderItemDto[];
  @Optional() @Nested(() => OrderShippingAddressDto) shipping_address?: OrderShippingAddressDto;
  @Optional() @JsonMembers() custom_attributes?: JsonObject;
}

export class CreateOrderPaymentDto {
  @Required() @Nested(() => OrderDetailsDto) order!: OrderDetailsDto;
}

export class GetPaymentStatusDto {
  @Required() @Id({ min: 1, max: 255 }) order_payment_id!: string;
}

export class CompleteOrderDto extends GetPaymentStatusDto {
  /** Which words there are is the payment's own rule. */
  @Required() @Text({ max: 250 }) payment_status!: string;
  @Optional() @Text(freeText) payment_fail_reason?: string;
  @Optional() @JsonMembers() custom_attributes?: JsonObject;
}
