import { Button, Menu } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useSession, useSignIn } from '../../api/session';
import { useAction } from '../../api/use-action';
import { nameOf, usePartnerChoice, type PartnerRef } from '../../parts/use-partner-choice';

/** Lets the operator view as a partner: the same screens and records, read-only. */
export function ViewAsMenu() {
  const { account } = useSession();
  const { partners } = usePartnerChoice();
  const signIn = useSignIn();
  const navigate = useNavigate();
  const switchView = useAction(({ kind, id }: PartnerRef) => signIn.viewAs({ role: kind, app: id }));
  // The operator token has no session to store the view in.
  if (!account || partners.length === 0) return null;
  return (
    <Menu position="bottom-end" withArrow shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<IconEye size={18} />} loading={switchView.isPending}>
          View as
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {(['host-app', 'miniapp'] as const).map((kind) => (
          <div key={kind}>
            <Menu.Label>{kind === 'host-app' ? 'Host apps' : 'Miniapps'}</Menu.Label>
            {partners
              .filter((one) => one.kind === kind)
              .map((one) => (
                <Menu.Item key={nameOf(one)} onClick={() => switchView.mutate(one, { onSuccess: () => void navigate('/') })}>
                  {one.name}
                </Menu.Item>
              ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
