// A miniapp's back end with the kit.
// PLATFORM is Pierhead's public address, OWN_URL what stands before the paths that you registered,
// APP_ID and SECRET_KEY are yours, HMAC_SECRET is what both sides hold.
//   node miniapp.mjs serve 8001
//   node miniapp.mjs order CLIENT_ID order-1 24.90
import express from 'express';
import { MiniappBackEnd, MiniappCalls } from 'pierhead/kit';

const { PLATFORM, OWN_URL, APP_ID, SECRET_KEY, HMAC_SECRET } = process.env;
const own = {
  appId: APP_ID,
  secretKey: SECRET_KEY,
  signature: { algorithm: 'HMAC', api_client_id: 'cid_1', hmac_secret: HMAC_SECRET },
};

if (process.argv[2] === 'serve') {
  const backEnd = new MiniappBackEnd({ ...own, publicUrl: OWN_URL });
  const seen = new Set(); // in a database, where a restart does not forget it
  const app = express();
  app.post(
    '/auth',
    backEnd.signOn((user) => ({ auth_token: `session-of-${user.reference}` })),
  );
  app.post(
    '/webhook',
    backEnd.completion((payment, { deliveryId }) => {
      // It comes at least once: the delivery's id is the same on each attempt.
      if (!seen.has(deliveryId)) console.log(payment.order_payment_id, payment.payment_status);
      seen.add(deliveryId);
    }),
  );
  app.listen(Number(process.argv[3]), '127.0.0.1');
} else {
  const [, , , clientId, orderId, amount] = process.argv;
  const calls = new MiniappCalls({ ...own, baseUrl: PLATFORM });
  const order = { currency: 'USD', amount, miniapp_order_id: orderId };
  // The order's id names the call: repeated, by whomever, it opens one payment.
  const payment = await calls.createOrderPayment(clientId, order, { idempotencyKey: orderId });
  console.log(payment.order_payment_id);
}
