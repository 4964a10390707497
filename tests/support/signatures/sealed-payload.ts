import { createCipheriv } from 'node:crypto';

/** The key of the contract's vectors. */
export const vectorKey = 'u9Qd9wV0Z6Ho9_TzCYyVW_WwBJwL7KvSl4k8fmfaLyE=';
export const vectorText = '{"name":"Bob","email":"user@example.com","address":"Singapore"}';
export const vectorCbc = 'AAECAwQFBgcICQoLDA0OD/AxM1kF+jsRXVMIiWBcMSrjkOp494mENOVH4dFO+zdXRSUP1SKrS3vBjrivcG7DrAAacDFz4/kH5B+/PPjHxO8=';
/** For `host_abc123def456.app_abc123`. */
export const vectorGcm =
  'v2.AAECAwQFBgcICQoLdAap18-ta-5FkWaFzt9ybFq0I1uWxYHT8JwHlXwcJ1AFKzB0J0DC70nfPAgNXQJr0pULdS0G2u4O-KHPpmZs1zfk_K31ZKi7jMxIDW4OTw';

/** Bytes 0, 1, 2, …: an initialisation vector that tests may repeat. */
const counted = (bytes: number): Buffer => Buffer.from(Array.from({ length: bytes }, (_, i) => i));

/** As a host app's back end makes it, by the contract's first form: IV and AES-256-CBC. `pad`: bytes in place of PKCS #7. */
export function sealCbc(text: string | Uint8Array, key: string, { iv = counted(16), pad = undefined as Buffer | undefined } = {}): Buffer {
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(key, 'base64url'), iv).setAutoPadding(pad === undefined);
  return Buffer.concat([iv, cipher.update(Buffer.from(text)), ...(pad ? [cipher.update(pad)] : []), cipher.final()]);
}

/** By the second form: `v2.`, IV, AES-256-GCM and tag, for one pair. */
export function sealGcm(text: string | Uint8Array, key: string, { clientId, appId }: { clientId: string; appId: string }): string {
  const iv = counted(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64url'), iv).setAAD(Buffer.from(`${clientId}.${appId}`));
  const sealed = Buffer.concat([iv, cipher.update(Buffer.from(text)), cipher.final(), cipher.getAuthTag()]);
  return `v2.${sealed.toString('base64url')}`;
}
