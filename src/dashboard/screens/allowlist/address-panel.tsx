import { Code, Group, Text } from '@mantine/core';
import { DetailList } from '../../parts/detail-list';
import { Panel } from '../../parts/panel';
import type { Allowlist } from './allowlist';

/** Settings of Pierhead that determine a caller's address. They are set at its start. */
export function AddressPanel({ list }: { readonly list: Allowlist }) {
  return (
    <Panel
      title="How the address is found"
      lead="The address of the connection; behind a trusted proxy, the one that X-Forwarded-For names."
    >
      <DetailList
        items={[
          [
            'Trusted proxies',
            list.trusted_proxies && <Networks networks={list.trusted_proxies} none="None: X-Forwarded-For is not believed" />,
          ],
          ['Always let in', <Networks key="platform" networks={list.platform_addresses} none="Nobody beside the list" />],
        ]}
      />
      {list.trusted_proxies && (
        <Text size="xs" c="dimmed" mt="xs">
          Set by TRUSTED_PROXIES and PLATFORM_ADDRESSES where Pierhead is started.
        </Text>
      )}
    </Panel>
  );
}

function Networks({ networks, none }: { readonly networks: readonly string[]; readonly none: string }) {
  if (networks.length === 0) return none;
  return (
    <Group gap={6}>
      {networks.map((network) => (
        <Code key={network}>{network}</Code>
      ))}
    </Group>
  );
}
