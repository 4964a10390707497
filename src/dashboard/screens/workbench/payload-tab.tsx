import { Alert, Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconLockOpen } from '@tabler/icons-react';
import { useState } from 'react';
import { manage } from '../../api/manage';
import { useSession } from '../../api/session';
import { useAction } from '../../api/use-action';
import { CodeBlock } from '../../parts/code-block';
import { EmptyState } from '../../parts/empty-state';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';

interface Opened {
  readonly opens: boolean;
  readonly cipher: string;
  readonly plain?: string;
  readonly sentence?: string;
}

interface Sealed {
  readonly payload: string;
  readonly client_id: string;
  readonly app_id: string;
  readonly secret_key: string;
}

/** A payload whose key is public; only for the sample. */
const sample: Sealed = {
  payload: 'AAECAwQFBgcICQoLDA0OD/AxM1kF+jsRXVMIiWBcMSrjkOp494mENOVH4dFO+zdXRSUP1SKrS3vBjrivcG7DrAAacDFz4/kH5B+/PPjHxO8=',
  client_id: 'host_abc123def456',
  app_id: 'app_abc123',
  secret_key: 'u9Qd9wV0Z6Ho9_TzCYyVW_WwBJwL7KvSl4k8fmfaLyE=',
};

const useOpening = () =>
  useAction(
    ({ secret_key: key, app_id: app, ...rest }: Sealed) => {
      const given = {
        ...rest,
        payload: rest.payload.trim(),
        ...(app !== '' && { app_id: app }),
        ...(key !== '' && { secret_key: key.trim() }),
      };
      return manage<Opened>('POST', '/payloads/open', { body: given });
    },
    { showsErrors: false },
  );

/** Decrypts a payload that a host app made for `partner/login`. */
export function PayloadTab() {
  const [sealed, setSealed] = useState<Sealed>(sample);
  const open = useOpening();
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
      <Panel title="Payload" lead="What the host app sent to partner/login. AES-256-CBC, or AES-256-GCM where it begins with v2.">
        <Stack gap="sm">
          <SealedFields sealed={sealed} onChange={setSealed} />
          <Group>
            <Button
              leftSection={<IconLockOpen size={16} aria-hidden />}
              loading={open.isPending}
              disabled={sealed.payload.trim() === ''}
              onClick={() => open.mutate(sealed)}
            >
              Open
            </Button>
          </Group>
        </Stack>
      </Panel>
      <Panel title="What is inside">
        {open.error && <ProblemAlert error={open.error} />}
        {!open.error && !open.data && (
          <EmptyState icon={IconLockOpen} title="Not opened yet" children="A sample and its key are there already." />
        )}
        {open.data && <Inside opened={open.data} />}
      </Panel>
    </SimpleGrid>
  );
}

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } };

function SealedFields({ sealed, onChange }: { readonly sealed: Sealed; readonly onChange: (sealed: Sealed) => void }) {
  const { role, viewAs } = useSession();
  const isOwner = (viewAs?.role ?? role) === 'host-app';
  const field = (member: keyof Sealed, label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      value={sealed[member]}
      styles={mono}
      autoComplete="off"
      onChange={(event) => onChange({ ...sealed, [member]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <Textarea
        label="Payload"
        autosize
        minRows={4}
        maxRows={12}
        value={sealed.payload}
        styles={mono}
        spellCheck={false}
        onChange={(event) => onChange({ ...sealed, payload: event.currentTarget.value })}
      />
      {field('secret_key', 'Secret key', isOwner ? 'Empty: the stored one of your host app' : 'Used for this answer and not kept')}
      {field('client_id', 'Client id', 'Of the host app; GCM binds the payload to it')}
      {field('app_id', 'App id', 'Of the miniapp; GCM binds the payload to it')}
    </>
  );
}

function Inside({ opened: { opens, cipher, plain, sentence } }: { readonly opened: Opened }) {
  return (
    <Stack gap="sm">
      <Alert
        role="status"
        color={opens ? 'teal' : 'red'}
        variant="light"
        icon={opens ? <IconCheck /> : <IconAlertTriangle />}
        title={opens ? `It opens: ${cipher}` : `It does not open as ${cipher}`}
      >
        {sentence ?? 'Key, initialisation vector and padding or tag are right.'}
      </Alert>
      {plain !== undefined && (
        <div>
          <Text size="sm" fw={500} mb={4}>
            Plain text
          </Text>
          <CodeBlock text={plain} what="plain text" wraps />
        </div>
      )}
    </Stack>
  );
}
