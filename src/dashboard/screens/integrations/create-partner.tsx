import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload, IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { CodeBlock } from '../../parts/code-block';
import { ProblemAlert } from '../../parts/problem-alert';
import { saveFile } from '../../parts/records/save-file';
import { FeatureChoice, FormActions, switchedOn } from './form-parts';
import type { PartnerKind } from './integration';

const kinds = {
  'host-app': {
    word: 'host app',
    path: '/host-apps',
    urls: [
      ['access_token_url', 'Access token URL'],
      ['user_data_url', 'User data URL'],
      ['create_order_payment_url', 'Create payment URL'],
      ['get_order_payment_status_url', 'Payment status URL'],
    ],
  },
  miniapp: {
    word: 'miniapp',
    path: '/miniapps',
    urls: [
      ['url', 'Page URL'],
      ['get_auth_token_url', 'Auth token URL'],
      ['webhook_url', 'Webhook URL'],
    ],
  },
} as const;

interface Created {
  readonly client_id?: string;
  readonly app_id?: string;
  readonly secret_key: string;
}

/** Creates a host app or a miniapp, then shows its secret once. */
export function CreatePartner({ kind, onClose }: { readonly kind: PartnerKind | undefined; readonly onClose: () => void }) {
  return (
    <Modal
      opened={kind !== undefined}
      onClose={onClose}
      title={`Create ${kinds[kind ?? 'miniapp'].word}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      size="lg"
    >
      {kind && <CreateForm kind={kind} onClose={onClose} />}
    </Modal>
  );
}

interface FormProps {
  readonly kind: PartnerKind;
  readonly onClose: () => void;
}

function CreateForm({ kind, onClose }: FormProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [features, setFeatures] = useState<readonly string[]>(['sso', 'payments']);
  const create = useAction(
    () => {
      const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
      return manage<Created>('POST', kinds[kind].path, { body: { ...filled, features: switchedOn(features) } });
    },
    { touches: ['/host-apps', '/miniapps'], showsErrors: false },
  );
  if (create.data) return <SecretOnce created={create.data} word={kinds[kind].word} onClose={onClose} />;
  const set = (name: string, value: string): void => setValues((before) => ({ ...before, [name]: value }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Stack gap="sm">
        <TextInput label="Name" required value={values['name'] ?? ''} onChange={({ currentTarget }) => set('name', currentTarget.value)} />
        <FeatureChoice chosen={features} onChange={setFeatures} />
        <UrlFields kind={kind} values={values} onChange={set} />
        {create.error && <ProblemAlert error={create.error} />}
        <FormActions action="Create" isPending={create.isPending} onClose={onClose} />
      </Stack>
    </form>
  );
}

interface UrlFieldsProps {
  readonly kind: PartnerKind;
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}

function UrlFields({ kind, values, onChange }: UrlFieldsProps) {
  return kinds[kind].urls.map(([name, label]) => (
    <TextInput
      key={name}
      label={label}
      placeholder="https://"
      description="Can be set later"
      value={values[name] ?? ''}
      onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
    />
  ));
}

function SecretOnce({ created, word, onClose }: { readonly created: Created; readonly word: string; readonly onClose: () => void }) {
  const id = created.client_id ?? created.app_id ?? '';
  const text = `${created.client_id === undefined ? 'app_id' : 'client_id'}=${id}\nsecret_key=${created.secret_key}\n`;
  return (
    <Stack gap="md">
      <Alert color="teal" variant="light" icon={<IconKey />} title={`The ${word} is created`}>
        <Text size="sm">Copy its secret key now: it is shown this once and never again.</Text>
      </Alert>
      <CodeBlock text={text} what="id and secret key" wraps />
      <Group justify="flex-end">
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => saveFile(`${id}.env`, text, 'text/plain')}>
          Download
        </Button>
        <Button onClick={onClose}>I have kept it</Button>
      </Group>
    </Stack>
  );
}
