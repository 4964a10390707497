import { Button, Menu } from '@mantine/core';
import { IconBell, IconChevronDown, IconCreditCard, IconFlask, IconUserCheck, type Icon } from '@tabler/icons-react';
import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { useRecord } from '../../api/use-record';
import type { Integration } from './integration';

type Part = 'sign-on' | 'payment' | 'event';

const parts: readonly (readonly [Part, string, Icon])[] = [
  ['sign-on', 'Test sign-on', IconUserCheck],
  ['payment', 'Test payment', IconCreditCard],
  ['event', 'Test event', IconBell],
];

/** Development only: lets the simulated partners sign on, pay or send events. Other integrations have no button. */
export function TestTraffic({ integration: { client_id, app_id } }: { readonly integration: Integration }) {
  const isThere = useRecord<{ readonly available: boolean }>('/sandbox').data?.available === true;
  const demo = useRecord<Pick<Integration, 'client_id' | 'app_id'>>('/sandbox/demo', { enabled: isThere }).data;
  const send = useAction((part: Part | undefined) => manage('POST', '/sandbox/demo', { query: { part } }), {
    done: 'The test traffic is on its way',
    touches: ['/sandbox'],
  });
  if (demo?.client_id !== client_id || demo.app_id !== app_id) return null;
  return (
    <Menu position="bottom-end" withArrow shadow="md">
      <Menu.Target>
        <Button leftSection={<IconFlask size={16} />} rightSection={<IconChevronDown size={14} />} loading={send.isPending}>
          Send test traffic
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {parts.map(([part, words, Mark]) => (
          <Menu.Item key={part} leftSection={<Mark size={16} />} onClick={() => send.mutate(part)}>
            {words}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => send.mutate(undefined)}>All of the scenario</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
