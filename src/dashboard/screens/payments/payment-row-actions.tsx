import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconMessageQuestion, IconSend } from '@tabler/icons-react';
import { canPoll, type Payment } from './payment-model';
import { usePaymentActions } from './use-payment-actions';

/** Actions on a payment in the list. */
export function PaymentRowActions({ payment }: { readonly payment: Payment }) {
  const { poll, resend } = usePaymentActions();
  return (
    <Menu position="bottom-end" withArrow shadow="md">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Actions of payment ${payment.id}`}
          loading={poll.isPending || resend.isPending}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconMessageQuestion size={16} />} disabled={!canPoll(payment)} onClick={() => poll.mutate(payment.id)}>
          Ask status now
        </Menu.Item>
        <Menu.Item leftSection={<IconSend size={16} />} disabled={payment.notice === undefined} onClick={() => resend.mutate(payment.id)}>
          Resend completion
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
