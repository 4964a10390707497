import { Stack } from '@mantine/core';
import { Facts } from '../../parts/facts';
import { Panel } from '../../parts/panel';
import type { Partner } from './integration';

interface SignatureSettings {
  readonly enabled?: boolean;
  readonly algorithm?: string;
  readonly hash?: string;
}

const signatureOf = (partner: Partner | undefined): SignatureSettings | undefined =>
  partner?.['signature'] as SignatureSettings | undefined;

const signedWords = ({ algorithm = 'HMAC', hash }: SignatureSettings): string =>
  `an ${algorithm}${hash === undefined ? '' : ` ${hash}`} signature`;

/** How the caller proves itself, in a sentence. */
function provesBy(parts: readonly (string | undefined)[], none: string): string {
  const used = parts.filter((part) => part !== undefined);
  return used.length > 0 ? used.join(', then ') : none;
}

const allowlistOf = (partner: Partner): string | undefined => {
  const list = partner['ip_whitelist'] as { enabled?: boolean; addresses?: readonly string[] } | undefined;
  return list?.enabled ? `one of ${String(list.addresses?.length ?? 0)} allowed addresses` : undefined;
};

const text = (partner: Partner, name: string): string | undefined => {
  const value = partner[name];
  return typeof value === 'string' ? value : undefined;
};

/** What holds in each direction, in words; of the other side a partner sees nothing. */
export function SettingsPanel({ hostApp, miniapp }: { readonly hostApp: Partner | undefined; readonly miniapp: Partner | undefined }) {
  return (
    <Panel title="What holds in each direction" lead="Effective settings, without secrets">
      <Stack gap="lg">
        <Facts facts={hostApp?.features ? hostAppFacts(hostApp) : [['Host app', 'Its settings are its own']]} />
        <Facts facts={miniapp?.features ? miniappFacts(miniapp) : [['Miniapp', 'Its settings are its own']]} />
      </Stack>
    </Panel>
  );
}

function hostAppFacts(hostApp: Partner): [string, string | undefined][] {
  const signature = signatureOf(hostApp);
  const isBasic = hostApp['basic_auth_validation'] !== false && (!signature?.enabled || hostApp['basic_with_signature'] === true);
  const inbound = [
    isBasic ? `Basic as ${hostApp.client_id ?? ''}` : undefined,
    signature?.enabled ? signedWords(signature) : undefined,
    allowlistOf(hostApp),
  ];
  const user = text(hostApp, 'host_app_client_id');
  const outbound = [user === undefined ? undefined : `Basic as ${user}`, signature?.enabled ? signedWords(signature) : undefined];
  return [
    ['Host app calls Pierhead with', provesBy(inbound, 'nothing: calls are open')],
    ['Pierhead calls the host app with', provesBy(outbound, 'no credentials')],
    ['User data URL', text(hostApp, 'user_data_url')],
    ['Create payment URL', text(hostApp, 'create_order_payment_url')],
    ['Events URL', text(hostApp, 'events_bridge_url')],
  ];
}

function miniappFacts(miniapp: Partner): [string, string | undefined][] {
  const signature = signatureOf(miniapp);
  const inbound = [signature?.enabled ? signedWords(signature) : undefined, allowlistOf(miniapp)];
  const outbound = [`Basic as ${miniapp.app_id ?? ''}`, signature?.enabled ? signedWords(signature) : undefined];
  return [
    ['Miniapp calls Pierhead with', provesBy(inbound, 'nothing set up: its calls are refused')],
    ['Pierhead calls the miniapp with', provesBy(outbound, 'no credentials')],
    ['Auth token URL', text(miniapp, 'get_auth_token_url')],
    ['Webhook URL', text(miniapp, 'webhook_url')],
    ['Events URL', text(miniapp, 'events_bridge_url')],
  ];
}
