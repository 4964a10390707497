import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { manage, pathOf } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { ConfirmAction } from '../../parts/confirm-action';

/** Resends a delivery after a confirmation. */
export function ResendButton({ delivery: { id, state } }: { readonly delivery: { readonly id: string; readonly state: string } }) {
  const [isOpen, setOpen] = useState(false);
  const resend = useAction(() => manage('POST', `${pathOf('deliveries', id)}/resend`), {
    touches: ['/timelines', '/deliveries', '/exchanges'],
    done: 'It is sent again',
    showsErrors: false,
  });
  return (
    <>
      <Button variant="default" leftSection={<IconSend size={16} />} onClick={() => setOpen(true)}>
        Resend
      </Button>
      <ConfirmAction
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Send it again?"
        action="Resend"
        onConfirm={() => resend.mutateAsync()}
      >
        {state === 'delivered'
          ? 'The receiver has it already. It gets the same again, with the same id, by which it can tell.'
          : 'It is sent now, to the URL and with the credentials that are stored now.'}
      </ConfirmAction>
    </>
  );
}
