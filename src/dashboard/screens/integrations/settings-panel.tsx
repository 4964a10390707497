import { Alert, Select, Stack, Text } from '@mantine/core';
import { manage, pathOf } from '../../api/manage';
import { useSession } from '../../api/session';
import { useAction } from '../../api/use-action';
import { DetailList } from '../../parts/detail-list';
import { Panel } from '../../parts/panel';
import type { EventChecker, Integration, Partner } from './integration';

interface SignatureSettings {
  readonly enabled?: boolean;
  readonly algorithm?: string;
  readonly hash?: string;
}

const signatureOf = (partner: Partner | undefined): SignatureSettings | undefined =>
  partner?.['signature'] as SignatureSettings | undefined;

const signedWords = ({ algorithm = 'HMAC', hash }: SignatureSettings): string =>
  `an ${algorithm}${hash === undefined ? '' : ` ${hash}`} signature`;

/** Describes the caller's credentials in a sentence. */
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

interface SettingsPanelProps {
  readonly integration: Integration;
  readonly hostApp: Partner | undefined;
  readonly miniapp: Partner | undefined;
}

/** The effective settings in each direction, in words. Partners see only their own side's. */
export function SettingsPanel({ integration, hostApp, miniapp }: SettingsPanelProps) {
  return (
    <Panel title="What holds in each direction" lead="Effective settings, without secrets">
      <Stack gap="lg">
        <DetailList items={hostApp?.features ? hostAppItems(hostApp) : [['Host app', 'Its settings are its own']]} />
        <DetailList items={miniapp?.features ? miniappItems(miniapp) : [['Miniapp', 'Its settings are its own']]} />
        <EventChecks integration={integration} />
      </Stack>
    </Panel>
  );
}

const checkerTitles: Readonly<Record<EventChecker, string>> = {
  miniapp: "The miniapp's signature and allowlist",
  host_app: "The host app's own credentials",
  both: 'Both, the host app first',
};
const checkers = Object.entries(checkerTitles).map(([value, label]) => ({ value, label }));

/** Selects the side whose checks a host app's event must pass. The operator and the miniapp may choose. */
function EventChecks({ integration }: { readonly integration: Integration }) {
  const { client_id, app_id, host_app_events_checked_by: chosen = 'miniapp', warnings = [] } = integration;
  const { role, viewAs } = useSession();
  const change = useAction(
    (host_app_events_checked_by: string) =>
      manage('PATCH', `/integrations${pathOf(client_id, app_id)}`, { body: { host_app_events_checked_by } }),
    { touches: ['/integrations'], done: () => 'Saved' },
  );
  const label = 'Events of the host app are checked by';
  if (role === 'host-app' || viewAs) return <DetailList items={[[label, checkerTitles[chosen]]]} />;
  return (
    <Stack gap="xs">
      <Select
        label={label}
        data={checkers}
        value={change.isPending ? change.variables : chosen}
        allowDeselect={false}
        aria-busy={change.isPending}
        error={change.error?.message}
        onChange={(value) => value !== null && value !== chosen && !change.isPending && change.mutate(value)}
      />
      {warnings.map(({ path, cause, message }) => (
        <Alert key={path + cause} color="yellow" p="xs">
          <Text size="sm">{message}</Text>
        </Alert>
      ))}
    </Stack>
  );
}

function hostAppItems(hostApp: Partner): [string, string | undefined][] {
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

function miniappItems(miniapp: Partner): [string, string | undefined][] {
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
