// A host app's back end with the kit.
// PLATFORM is Pierhead's public address, OWN_URL what stands before the paths that you registered,
// CLIENT_ID is yours, HMAC_SECRET is what both sides hold.
//   node host-app.mjs serve 8002
//   node host-app.mjs connect APP_ID user-mia-0001
//   node host-app.mjs complete APP_ID ORDER_PAYMENT_ID paid
import { createHash } from 'node:crypto';
import express from 'express';
import { HostAppBackEnd, HostAppCalls } from 'pierhead/kit';

const { PLATFORM, OWN_URL, CLIENT_ID, HMAC_SECRET } = process.env;
const own = {
  clientId: CLIENT_ID,
  signature: { algorithm: 'HMAC', api_client_id: 'cid_1', hmac_secret: HMAC_SECRET },
};
const calls = new HostAppCalls({ ...own, baseUrl: PLATFORM });
const [, , action, ...given] = process.argv;

if (action === 'serve') {
  // Host-app client ID and secret key would be asked for where no signature is agreed on.
  const backEnd = new HostAppBackEnd({ ...own, publicUrl: OWN_URL, platform: { id: 'platform', secret: HMAC_SECRET } });
  const app = express();
  app.post(
    '/create',
    backEnd.createPayment((_body, { idempotencyKey }) => ({
      // The same key is the same payment: derive the id from it, or keep both.
      order_payment_id: `op-${createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 16)}`,
    })),
  );
  app.listen(Number(given[0]), '127.0.0.1');
} else if (action === 'connect') {
  const [appId, reference] = given;
  console.log(JSON.stringify(await calls.connect(appId, { reference })));
} else {
  const [appId, order_payment_id, payment_status] = given;
  console.log(JSON.stringify(await calls.completeOrder(appId, { order_payment_id, payment_status })));
}
