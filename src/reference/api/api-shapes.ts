import {
  anything,
  flag,
  list,
  map,
  members,
  object,
  oneOf,
  orNull,
  ref,
  text,
  uri,
  type Member,
  type Schema,
} from '../../adapters/dto/schema';
import { appId, clientId } from '../../adapters/dto/shared-members';

const tokenPair = {
  token: [text, 'Token of the session at the miniapp, as the miniapp issued it; the SDK hands it to the page.'],
  refresh_token: [text, 'Token with which the page renews the session at the miniapp; empty where the miniapp gives none.'],
} satisfies Record<string, Member>;
const orderPaymentId: Member = [text, 'Id that the host app gave the payment; the completion names it again.'];
const transactionId: Member = [text, 'Id of the stored report, as the miniapp sent it; a number comes back as text.'];

const consentLink = members({
  title: [text, 'Words of the link that the user sees.'],
  url: [uri, 'Page that the link opens, such as a privacy statement.'],
});

const miniappSettings = object('What the SDK needs to open a miniapp. Nothing in it is secret.', {
  app_id: appId,
  miniapp: [
    members({
      app_id: appId,
      name: [text, 'Name of the miniapp that users see.'],
      url: [orNull(uri), 'Page that the SDK opens; null until the miniapp has set one.'],
      logo: [orNull(uri), 'Address of a picture of the miniapp; null where it has none.'],
      required_fields: [list(text), 'User fields without which the miniapp makes no session, such as `email`.'],
      white_listed_urls: [list(text), 'Addresses that the miniapp may open beside its own page.'],
    }),
    'Settings of the miniapp that the SDK opens.',
  ],
  hostapp: [
    members({
      name: [text, 'Name of the host app that users see.'],
      logo: [orNull(uri), 'Address of a picture of the host app; null where it has none.'],
      is_consent_enabled: [flag, 'Whether the SDK asks the user before it passes their data on.'],
      consent_text: [orNull(text), 'Question of the consent dialog; null where the host app has set none.'],
      consent_links: [list(consentLink), 'Links under the question, at most 20.'],
      consent_in_popup: [flag, 'Whether the SDK asks for consent in a popup.'],
      server_side_sign_on: [flag, "Whether the host app's server finishes the sign-on."],
    }),
    'How the host app asks for consent and ends a sign-on.',
  ],
  colors: [map(text), 'Colours of the host app by name, such as `primary`; empty where it has set none.'],
});

/** Named schemas of answers. */
export const apiShapes: Readonly<Record<string, Schema>> = {
  TokenPair: object('The session that the miniapp opened for the user.', tokenPair),
  AuthTokens: object('The session that the miniapp opened for the user, under both names that SDKs read.', {
    auth_token: [text, 'The same value as `token`, for SDKs that read this name.'],
    ...tokenPair,
  }),
  ConsentState: object('Whether the user lets the host app pass their data to the miniapp.', {
    is_consented: [flag, 'True after save_consent, or a sign-on that recorded consent; false after revoke and for an unknown user.'],
  }),
  MiniappSettings: miniappSettings,
  OpenedPayment: object('The payment that the host app opened for the order.', {
    order_payment_id: orderPaymentId,
    'custom_attributes?': [anything, 'Further data of the host app about the new payment, relayed unchanged.'],
  }),
  PaymentState: object('How the payment stands, as the host app answered.', {
    app_id: appId,
    client_id: clientId,
    order_payment_id: orderPaymentId,
    payment_status: [
      oneOf('in_process', 'processing', 'paid', 'cancelled', 'failed'),
      'Word of the host app; `processing` means `in_process`, all others but these two are final.',
    ],
    'payment_fail_reason?': [text, 'Why the payment failed, in the words of the host app.'],
    'custom_attributes?': [anything, 'Further data of the host app about the payment, relayed unchanged.'],
  }),
  CompletedPayment: object('The result that is stored; its delivery to the miniapp has begun or is queued.', {
    order_payment_id: orderPaymentId,
    payment_status: [text, 'The status as it was reported.'],
  }),
  AcceptedEvent: object('The receipt of a durable event.', {
    event_id: [text, 'Id under which the event is delivered; the receiver gets it as `webhook-id`.'],
  }),
  AcceptedTransaction: object('The receipt of one report.', {
    transaction_id: transactionId,
    status: [oneOf('accepted'), 'Always `accepted`: a record that is refused refuses the whole call.'],
  }),
  AcceptedTransactions: object('The receipts of a list of reports.', {
    results: [list(ref('AcceptedTransaction')), 'One receipt for each record, in the order sent.'],
  }),
};
