# shellcheck shell=bash
# Bodies with their route, members out of order on purpose, text that looks like JSON inside of strings.

ids='"client_id":"host_abc123def456","app_id":"app_abc123"'

declare -A body_text=(
  [plain-order]="{$ids,\"order\":{\"currency\":\"USD\",\"amount\":\"1.10\"}}"
  [unicode-order]="{$ids,\"order\":{\"miniapp_order_id\":\"mo-7781\",\"currency\":\"EUR\",\"amount\":\"42.00\",\"note\":\"Bitte klingeln: größer Hof, 2. Stock\",\"items\":[{\"quantity\":2,\"product_name\":\"Café crème ☕\",\"price\":\"21.00\"}]}}"
  [decimal-order]="{$ids,\"order\":{\"currency\":\"SGD\",\"amount\":10.50,\"tax_amount\":0.70,\"shipping_amount\":3,\"items\":[{\"product_sku\":\"TEA-9\",\"price\":9.80,\"discount\":0.00,\"quantity\":1}],\"custom_attributes\":{\"ratio\":123456789012345678.10}}}"
  [nested-order]="{$ids,\"order\":{\"currency\":\"JPY\",\"amount\":\"1800\",\"shipping_address\":{\"postal_code\":\"100-0001\",\"city\":\"東京\",\"address1\":\"千代田 1\",\"latitude\":35.689500},\"custom_attributes\":{\"zeta\":{\"b\":[1,2.50,{\"y\":null,\"X\":true}],\"a\":\"say \\\"hi\\\", then: go\\n\"},\"Alpha\":\"\",\"_x\":[]}}}"
  [status]="{\"order_payment_id\":\"pay_93175500\",$ids}"
  [wide-status]="{\"order_payment_id\":\"зак-5001-é\",$ids}"
  [event]="{\"event_type\":\"cart.updated\",$ids,\"payload\":{\"total\":18.40,\"lines\":[{\"sku\":\"b-2\",\"count\":1},{\"sku\":\"a-1\",\"count\":4}],\"currency\":\"GBP\"}}"
  [greeting-event]="{\"event_type\":\"chat.message\",$ids,\"payload\":{\"to\":\"Zoë\",\"text\":\"see you at 7, bring: cake 🎂\",\"from\":{\"name\":\"Łukasz\",\"id\":17}}}"
  [connect]="{$ids,\"user_data\":{\"reference\":\"u-20317\",\"first_name\":\"Bob\",\"email\":\"bob@example.com\",\"custom_attributes\":{\"tier\":\"gold\",\"points\":120.50}}}"
  [wide-connect]="{$ids,\"user_data\":{\"reference\":\"u-20318\",\"last_name\":\"Núñez\",\"first_name\":\"José\",\"phone\":\"+34600000000\"}}"
  [completion]="{\"order_payment_id\":\"pay_93175501\",\"payment_status\":\"paid\",$ids,\"custom_attributes\":{\"settled\":99.90,\"batch\":\"B-12\"}}"
)

wide_bodies=(unicode-order nested-order greeting-event wide-connect wide-status)
all_bodies=(plain-order unicode-order status decimal-order event connect nested-order completion greeting-event wide-connect plain-order wide-status)

# route_of BODY: the path, without its final slash.
route_of() {
  case $1 in
    *order) printf /api/v1/orders/create-order-payment ;;
    *status) printf /api/v1/orders/get-payment-status ;;
    *event) printf /api/v1/events/miniapp ;;
    *connect) printf /api/v1/connect ;;
    completion) printf /api/v1/orders/complete-order ;;
  esac
}

# own_id BODY: the id of the app that makes that call.
own_id() {
  case $1 in
    *connect | completion) printf host_abc123def456 ;;
    *) printf app_abc123 ;;
  esac
}

# in_form GAPS SORT UNICODE FLOATS: standard input, one JSON text, in that form (see form.awk).
in_form() {
  awk -v gaps="$1" -v sort="$2" -v unicode="$3" -v floats="$4" -f "$steps/form.awk"
}
