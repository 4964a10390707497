import { ActionIcon, Button, Kbd, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { IconArrowRight, IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { manage } from '../api/manage';
import { ProblemAlert } from '../parts/problem-alert';
import searchStyles from './search-box.module.css';
import styles from './shell.module.css';

/** A search result. */
interface Hit {
  readonly kind: 'exchange' | 'payment' | 'delivery' | 'user' | 'host_app' | 'miniapp';
  readonly id: string;
  /** The id that matched. */
  readonly by: string;
  readonly client_id?: string;
  readonly app_id?: string;
  readonly at?: string;
}

/** Finds requests, payments, deliveries and users by their ids. */
export function SearchBox() {
  const [opened, { open, close }] = useDisclosure(false);
  useEffect(() => {
    document.addEventListener('pierhead:search', open);
    return () => document.removeEventListener('pierhead:search', open);
  }, [open]);
  return (
    <>
      <Button
        variant="default"
        className={styles.search ?? ''}
        justify="flex-start"
        leftSection={<IconSearch size={16} />}
        rightSection={
          <Kbd size="xs" ml="auto">
            /
          </Kbd>
        }
        onClick={open}
        visibleFrom="md"
        fw={400}
        c="dimmed"
      >
        Search for an id
      </Button>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Search for an id" onClick={open} hiddenFrom="md" ml="auto">
        <IconSearch size={20} />
      </ActionIcon>
      <Modal opened={opened} onClose={close} title="Search" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
        <SearchForm onDone={close} />
      </Modal>
    </>
  );
}

function SearchForm({ onDone }: { readonly onDone: () => void }) {
  const [text, setText] = useState('');
  const [searched, setSearched] = useState('');
  const found = useQuery({
    queryKey: ['/search', searched],
    queryFn: ({ signal }) => manage<{ data: readonly Hit[] }>('GET', '/search', { query: { q: searched }, signal }),
    enabled: searched !== '',
  });
  return (
    <Stack>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setSearched(text.trim());
        }}
      >
        <TextInput
          label="Request, payment, order, event or delivery id, or a user reference"
          description="Whole and exact; enter searches"
          leftSection={<IconSearch size={16} />}
          maxLength={255}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
      {found.error && <ProblemAlert error={found.error} />}
      {found.isFetching && <Text size="sm">Searching …</Text>}
      {found.data && !found.isFetching && <Hits hits={found.data.data} searched={searched} onDone={onDone} />}
    </Stack>
  );
}

const kindNames: Readonly<Record<Hit['kind'], string>> = {
  ...{ exchange: 'Request', payment: 'Payment', delivery: 'Delivery', user: 'User', host_app: 'Host app', miniapp: 'Miniapp' },
};

/** The path of a search result's screen. */
export function pathOfHit({ kind, id, client_id: clientId = '' }: Hit): string {
  const one = encodeURIComponent(id);
  const paths: Readonly<Record<Hit['kind'], string>> = {
    exchange: `/requests/${one}`,
    payment: `/payments/${one}`,
    delivery: `/deliveries/${one}`,
    user: `/users?client_id=${encodeURIComponent(clientId)}&reference=${one}`,
    host_app: `/integrations?client_id=${one}`,
    miniapp: `/integrations?app_id=${one}`,
  };
  return paths[kind];
}

function Hits({ hits, searched, onDone }: { readonly hits: readonly Hit[]; readonly searched: string; readonly onDone: () => void }) {
  const navigate = useNavigate();
  if (hits.length === 0) {
    return (
      <Text size="sm" role="status">
        Nothing has the id “{searched}”. Ids are looked for whole; requests are kept for 30 days.
      </Text>
    );
  }
  return (
    <Stack gap={4} component="ul" className={searchStyles.hits ?? ''} aria-label="Found">
      {hits.map((hit) => (
        <li key={`${hit.kind} ${hit.id}`}>
          <UnstyledButton
            className={searchStyles.hit ?? ''}
            onClick={() => {
              onDone();
              void navigate(pathOfHit(hit));
            }}
          >
            <Text component="span" size="sm" fw={600}>
              {kindNames[hit.kind]}
            </Text>
            <Text component="span" size="sm" ff="monospace" className={searchStyles.id ?? ''}>
              {hit.id}
            </Text>
            <Text component="span" size="xs" c="dimmed">
              by {hit.by}
            </Text>
            <IconArrowRight size={16} aria-hidden />
          </UnstyledButton>
        </li>
      ))}
    </Stack>
  );
}
