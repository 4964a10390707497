import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconMessageQuestion, IconSend } from '@tabler/icons-react';
import { canAsk, type Payment } from './payment-wire';
import { usePaymentDeeds } from './use-payment-deeds';

/** What can be done about one payment of the list. */
export function PaymentRowDeeds({ payment }: { readonly payment: Payment }) {
  const { ask, resend } = usePaymentDeeds();
  return (
    <Menu position="bottom-end" withArrow shadow="md">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Actions of payment ${payment.id}`}
          loading={ask.isPending || resend.isPending}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconMessageQuestion size={16} />} disabled={!canAsk(payment)} onClick={() => ask.mutate(payment.id)}>
          Ask status now
        </Menu.Item>
        <Menu.Item leftSection={<IconSend size={16} />} disabled={payment.notice === undefined} onClick={() => resend.mutate(payment.id)}>
          Resend completion
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
