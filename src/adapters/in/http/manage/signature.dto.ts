import { signaturePresets } from '../../../../domain/credentials/signature-presets';
import { Flag, HeaderText, Nested, OneOf, Optional, Text, Whole } from '../../../dto/decorators';

class HeaderNamesDto {
  @Optional() @Text(64) signature?: string;
  @Optional() @Text(64) timestamp?: string;
  @Optional() @Text(64) client_id?: string;
  @Optional() @Text(64) nonce?: string;
  @Optional() @Text(64) identity?: string;
  @Optional() @Text(64) merchant_id?: string;
}

/** Signature settings (contract/signatures#settings). What only the whole can tell is judged by domain/credentials/signature-rules. */
export class SignatureDto {
  @Optional() @Flag() enabled?: boolean;
  @Optional() @OneOf(['HMAC', 'RSA2', 'ECDSA']) algorithm?: 'HMAC' | 'RSA2' | 'ECDSA';
  @Optional()
  @OneOf(['SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA-1', 'MD5'])
  hash?: 'SHA-224' | 'SHA-256' | 'SHA-384' | 'SHA-512' | 'SHA-1' | 'MD5';
  @Optional() @OneOf(['base64', 'base64url', 'hex']) encoding?: 'base64' | 'base64url' | 'hex';
  @Optional()
  @OneOf(['seconds', 'milliseconds', 'microseconds', 'nanoseconds'])
  timestamp_precision?: 'seconds' | 'milliseconds' | 'microseconds' | 'nanoseconds';
  @Optional() @Whole(0, 64) nonce_length?: number;
  @Optional() @HeaderText(250) identity?: string;
  @Optional() @Nested(() => HeaderNamesDto) header_names?: HeaderNamesDto;
  @Optional() @Text(1000) payload_template?: string;
  @Optional() @HeaderText(250) signature_template?: string;
  @Optional() @OneOf(['full', 'path']) url_form?: 'full' | 'path';
  @Optional() @Flag() payload_spaces?: boolean;
  @Optional() @Flag() payload_sort_keys?: boolean;
  @Optional() @Flag() payload_ascii?: boolean;
  @Optional() @OneOf(['PEM', 'DER']) key_format?: 'PEM' | 'DER';
  @Optional() @HeaderText(64) api_client_id?: string;
  /** Write-only. */
  @Optional() @Text(1000) hmac_secret?: string;
  @Optional() @Text(10_000) partner_public_key?: string;
  /** Write-only: goes with `partner_public_key` (contract/signatures#shared-keys). */
  @Optional() @Flag() acknowledge_shared_key?: boolean;
  @Optional() @Flag() acknowledge_weak?: boolean;
  @Optional() @Flag() webhook_signature?: boolean;
  /** Write-only: stands for the settings that the preset names. */
  @Optional() @OneOf(signaturePresets.map(({ name }) => name)) preset?: string;
}
