import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { manage, pathOf } from '../../api/manage';
import { useSession, useSignIn } from '../../api/session';
import { useAction } from '../../api/use-action';
import { useRecord } from '../../api/use-record';
import { roleNames } from '../../frame/account-menu';
import { useNewPassword } from '../../frame/sign-in/new-password';
import { useAttempt } from '../../frame/sign-in/use-attempt';
import { EmptyState } from '../../parts/empty-state';
import { DetailList } from '../../parts/detail-list';
import { notify } from '../../parts/notices';
import { PageHead } from '../../parts/page-head';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';

/** The own account: name, password, and sessions. */
export default function OwnAccountScreen() {
  const { account } = useSession();
  if (!account) {
    return (
      <>
        <PageHead title="Your account" />
        <EmptyState title="You use the operator token">
          It belongs to nobody in particular, so there is no account and no session.
        </EmptyState>
      </>
    );
  }
  const items = [
    ['Name', account.name],
    ['Email', account.email],
    ['Role', roleNames[account.role]],
  ] as const;
  return (
    <>
      <PageHead title="Your account" />
      <Stack gap="lg" maw={720}>
        <Panel>
          <DetailList items={items} />
        </Panel>
        <PasswordPanel hasPassword={account.has_password} />
        <SessionsPanel />
      </Stack>
    </>
  );
}

function PasswordPanel({ hasPassword }: { readonly hasPassword: boolean }) {
  const signIn = useSignIn();
  const [present, setPresent] = useState('');
  const chosen = useNewPassword();
  const { error, isPending, submit } = useAttempt(async () => {
    await signIn.changePassword({ ...(hasPassword && { password: present }), new_password: chosen.text });
    notify({ tone: 'good', text: 'The password is changed; your other sessions have ended' });
  });
  return (
    <Panel title={hasPassword ? 'Change the password' : 'Set a password'} lead="Your other sessions end.">
      <form onSubmit={submit}>
        <Stack gap="md" maw={400}>
          {hasPassword && (
            <PasswordInput
              label="Present password"
              autoComplete="current-password"
              required
              value={present}
              onChange={(event) => setPresent(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': 'Show the present password' }}
            />
          )}
          {chosen.fields}
          {error !== undefined && <ProblemAlert error={error} />}
          <Group>
            <Button type="submit" loading={isPending} disabled={!chosen.isRight || (hasPassword && present === '')}>
              {hasPassword ? 'Change it' : 'Set it'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

interface SessionView {
  readonly id: string;
  readonly current: boolean;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly address: string;
  readonly user_agent: string;
}

function SessionsPanel() {
  const { data, error, refetch } = useRecord<{ data: readonly SessionView[] }>('/sessions');
  const end = useAction((id: string) => manage('DELETE', pathOf('sessions', id)), {
    touches: ['/sessions'],
    done: 'The session has ended',
  });
  return (
    <Panel title="Sessions" lead="Where you are signed in. One ends after eight hours without use, and after seven days in any case.">
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      <Stack gap="sm">
        {data?.data.map((session) => (
          <Group key={session.id} justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {browserName(session.user_agent)} from {session.address}
              </Text>
              <Text size="xs" c="dimmed" component="div">
                Signed in <TimeText at={session.created_at} as="whole" />, last seen <TimeText at={session.last_seen_at} as="distance" />
              </Text>
            </div>
            {session.current ? (
              <StateBadge tone="good">This one</StateBadge>
            ) : (
              <Button size="compact-sm" variant="default" onClick={() => end.mutate(session.id)} style={{ flex: 'none' }}>
                End
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}

/** The browser's name in a User-Agent header. */
function browserName(agent: string): string {
  const found = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(agent)?.[1];
  if (found === undefined) return agent === '' ? 'Unknown browser' : agent.slice(0, 40);
  return { Edg: 'Edge', OPR: 'Opera' }[found] ?? found;
}
