import { JsonObject } from '../../domain/shared/json';
import { number } from '../run-state';

/** All members of an order in the contract except currency and amount. */
export const fullOrder = {
  subtotal_amount: '20.00',
  shipping_amount: '2.40',
  discount_amount: '0.00',
  tax_amount: number('1.60'),
  tax_title: 'VAT 8 %',
  taxes_included: false,
  note: 'Leave at the door',
  miniapp_order_id: 'order-2041',
  items: [
    JsonObject.of({
      product_name: 'Ferry ticket',
      product_variant_name: 'Upper deck',
      product_sku: 'FERRY-2',
      product_image_url: 'https://miniapp.example/ferry.png',
      quantity: number('2'),
      price: '10.00',
      discount: '0.00',
    }),
    JsonObject.of({ product_name: 'Seat', quantity: number('1'), price: number('0') }),
  ],
  shipping_address: JsonObject.of({
    address1: '1 Harbour Road',
    address2: '',
    first_name: 'Mia',
    last_name: 'Berg',
    phone: '+12025550101',
    region_name: 'Central',
    region_code: '01',
    province_name: 'Central',
    province_code: 'C',
    city: 'Singapore',
    country: 'SG',
    postal_code: '018989',
    latitude: number('1.290270123456789'),
    longitude: number('103.851959123456789'),
  }),
  custom_attributes: JsonObject.of({ channel: 'conformance' }),
} as const;
