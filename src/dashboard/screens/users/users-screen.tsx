import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { PageHead } from '../../parts/page-head';
import type { Column } from '../../parts/records/columns';
import { filteredPath } from '../../parts/records/filters';
import { RecordList } from '../../parts/records/record-list';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import { RefreshesChart } from './refreshes-chart';
import { SignOnPicture } from './sign-on-picture';
import { UserActions } from './user-actions';
import { userFilters } from './user-filters';
import type { Consent, User } from './user-model';

const consentWords = ({ app_id: app, granted, fields, text_version: version }: Consent): string =>
  [app, granted ? 'granted' : 'withdrawn', fields?.join(' '), version && `version ${version}`].filter(Boolean).join(', ');
const tokenWords = ({ tokens }: User): string => (!tokens ? 'none' : tokens.refreshable ? 'stored, refreshable' : 'stored');

const columns: readonly Column<User>[] = [
  {
    ...{ id: 'reference', title: 'User', text: ({ reference }: User) => reference, card: 'head' as const },
    show: ({ reference }) => (
      <Text component="span" size="sm" ff="monospace">
        {reference}
      </Text>
    ),
  },
  {
    ...{ id: 'client', title: 'Host app', text: ({ client_id: id }: User) => id },
    show: ({ client_id: id }) => (
      <Text component="span" size="sm" ff="monospace" fz="0.86em">
        {id}
      </Text>
    ),
  },
  {
    ...{ id: 'last', title: 'Last sign-on', text: ({ last_sign_on_at: at }: User) => at },
    show: ({ client_id: id, last_sign_on_at: at }) =>
      at === undefined ? (
        'never'
      ) : (
        <Group gap={8}>
          <TimeText at={at} as="distance" />
          <Anchor component={Link} size="sm" to={filteredPath('/requests', { client_id: id, call: 'connect' })}>
            calls
          </Anchor>
        </Group>
      ),
  },
  {
    ...{ id: 'tokens', title: 'Tokens', text: tokenWords },
    show: (user) => (
      <Group gap={6}>
        <StateBadge tone={user.tokens ? 'good' : 'quiet'}>{tokenWords(user)}</StateBadge>
        {user.tokens && <TimeText at={user.tokens.stored_at} as="distance" />}
      </Group>
    ),
  },
  {
    id: 'consent',
    title: 'Consent',
    show: ({ consents }) => <Consents consents={consents} />,
    text: (user) => user.consents.map(consentWords).join('; '),
  },
];

function Consents({ consents }: { readonly consents: readonly Consent[] }) {
  if (consents.length === 0) return 'not said';
  return (
    <Stack gap={4}>
      {consents.map((consent) => (
        <div key={consent.app_id}>
          <Group gap={6}>
            <StateBadge tone={consent.granted ? 'good' : 'bad'}>{consent.granted ? 'granted' : 'withdrawn'}</StateBadge>
            <Text component="span" size="sm" ff="monospace" fz="0.86em">
              {consent.app_id}
            </Text>
            <TimeText at={consent.at} as="distance" />
          </Group>
          <Text size="xs" c="dimmed">
            {consent.fields ? consent.fields.join(', ') : 'fields not named'}
            {consent.text_version === undefined ? '' : ` · text version ${consent.text_version}`}
          </Text>
        </div>
      ))}
    </Stack>
  );
}

export default function UsersScreen() {
  return (
    <>
      <PageHead
        title="Sign-on and consent"
        lead="Users that host apps have told of, masked. A user is found by the whole reference; tokens are never shown, and host apps do not tell when they expire."
      />
      <Stack gap="md">
        <RefreshesChart />
        <RecordList<User>
          title="Users"
          path="/users"
          idOf={({ client_id: client, id }) => `${client}/${id}`}
          filters={userFilters}
          columns={columns}
          actionsOf={(user) => <UserActions user={user} />}
          empty={<NobodyYet />}
        />
      </Stack>
    </>
  );
}

function NobodyYet() {
  return (
    <Stack p="lg" gap="md" align="stretch">
      <div style={{ textAlign: 'center' }}>
        <Title order={3} fz="h4">
          No user has signed on yet
        </Title>
        <Text c="dimmed" size="sm">
          This is what happens when the first one does
        </Text>
      </div>
      <SignOnPicture />
    </Stack>
  );
}
