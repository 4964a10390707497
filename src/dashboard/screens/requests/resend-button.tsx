import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { manage, pathOf } from '../../api/manage';
import { useDeed } from '../../api/use-deed';
import { ConfirmDeed } from '../../parts/confirm-deed';

/** Sends a delivery again, after asking. */
export function ResendButton({ delivery: { id, state } }: { readonly delivery: { readonly id: string; readonly state: string } }) {
  const [isOpen, setOpen] = useState(false);
  const resend = useDeed(() => manage('POST', `${pathOf('deliveries', id)}/resend`), {
    touches: ['/timelines', '/deliveries', '/exchanges'],
    done: 'It is sent again',
    tells: false,
  });
  return (
    <>
      <Button variant="default" leftSection={<IconSend size={16} />} onClick={() => setOpen(true)}>
        Resend
      </Button>
      <ConfirmDeed
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Send it again?"
        deed="Resend"
        onConfirm={() => resend.mutateAsync()}
      >
        {state === 'delivered'
          ? 'The receiver has it already. It gets the same again, with the same id, by which it can tell.'
          : 'It is sent now, to the URL and with the credentials that are stored now.'}
      </ConfirmDeed>
    </>
  );
}
