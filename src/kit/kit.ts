/*
 * pierhead/kit: what a partner's back end in Node needs. It loads node's own modules and pure code, nothing of the service.
 * Guides: docs/guides/host-app.md and docs/guides/miniapp.md, With the kit.
 */
export type { AgreedSignature } from './agreed-signature';
export { ApiRefused, type ApiSettings, type CallOptions } from './api-calls';
export { basicHeader, provesBasic, type BasicCredentials } from './basic';
export type * from './bodies';
export { CallRefused } from './call-refused';
export { HostAppBackEnd, type HostAppSettings } from './host-app-back-end';
export { HostAppCalls, type HostAppApiSettings } from './host-app-calls';
export { MiniappBackEnd, type MiniappSettings } from './miniapp-back-end';
export { MiniappCalls, type MiniappApiSettings } from './miniapp-calls';
export { MemoryNonceStore, type NonceStore } from './nonces';
export { openPayload, sealPayload, type PayloadKey, type SealOptions } from './payload';
export type { BackEndSettings, PlatformCall, PlatformHandler, PlatformRequest } from './platform-server';
export { keepRawBody } from './raw-body';
export { sign, type CallToSign } from './sign';
export { verify, type ReceivedCall, type SentHeaders, type VerifyOptions } from './verify';
export { verifyWebhook, type Webhook } from './webhook';
