import type { ManageExamples } from './example';
import { hostApp, miniapp } from './partner-example';

/** A key of the form that the service makes; nobody has it. */
const secretKey = 'u9Qd9wV0Z6Ho9_TzCYyVW_WwBJwL7KvSl4k8fmfaLyE=';
const feature = { sso: true, payments: true, events: true };
const consent = { is_consent_enabled: true, consent_text: 'Share your e-mail address?' };

export const partnersExamples: ManageExamples = {
  listHostApps: { answer: { data: [hostApp], next_cursor: null } },
  createHostApp: {
    body: {
      name: 'Harbour app',
      features: feature,
      host_app_client_id: 'platform-at-host',
      host_app_secret_key: 'what-the-host-app-made-for-us',
      access_token_url: 'https://harbour.example/token',
      refresh_token_url: 'https://harbour.example/refresh',
      user_data_url: 'https://harbour.example/user',
      create_order_payment_url: 'https://harbour.example/create',
      get_order_payment_status_url: 'https://harbour.example/status',
    },
    answer: { ...hostApp, secret_key: secretKey },
  },
  getHostApp: { answer: hostApp },
  changeHostApp: {
    body: { ...consent, payload_cipher: 'gcm' },
    answer: { ...hostApp, ...consent, payload_cipher: 'gcm', version: 2, warnings: [] },
  },
  listMiniapps: { answer: { data: [miniapp], next_cursor: null } },
  createMiniapp: {
    body: {
      name: 'Harbour ferries',
      features: feature,
      get_auth_token_url: 'https://ferries.example/auth',
      webhook_url: 'https://ferries.example/webhook',
      ip_whitelist: { enabled: true, addresses: ['203.0.113.0/24'] },
    },
    answer: { ...miniapp, secret_key: secretKey },
  },
  getMiniapp: { answer: miniapp },
  changeMiniapp: { body: { required_user_fields: ['email'] }, answer: { ...miniapp, required_user_fields: ['email'], version: 2 } },
};
