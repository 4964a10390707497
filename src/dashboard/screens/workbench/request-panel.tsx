import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { IconFileImport, IconPencilCheck, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { FailedDialog } from './failed-dialog';
import type { Workbench } from './use-workbench';
import type { Draft } from './workbench';

/** The request that is signed or explained. */
export function RequestPanel({ workbench }: { readonly workbench: Workbench }) {
  const { sign, check, load } = workbench;
  const [picks, setPicks] = useState(false);
  const error = [sign, check, load].find((action) => action.error)?.error;
  return (
    <Panel
      title="Request"
      actions={
        <Button variant="default" size="compact-sm" leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => setPicks(true)}>
          Load a failed one
        </Button>
      }
    >
      <Stack gap="sm">
        <DraftFields workbench={workbench} />
        {error && <ProblemAlert error={error} />}
        <Actions workbench={workbench} />
      </Stack>
      {picks && (
        <FailedDialog
          onClose={() => setPicks(false)}
          onPick={(id) => {
            setPicks(false);
            load.mutate(id);
          }}
        />
      )}
    </Panel>
  );
}

function Actions({ workbench: { sign, check } }: { readonly workbench: Workbench }) {
  return (
    <Group gap="xs">
      <Button leftSection={<IconPencilCheck size={16} aria-hidden />} loading={sign.isPending} onClick={() => sign.mutate()}>
        Sign
      </Button>
      <Button variant="default" leftSection={<IconSearch size={16} aria-hidden />} loading={check.isPending} onClick={() => check.mutate()}>
        Explain
      </Button>
    </Group>
  );
}

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } };

function DraftFields({ workbench: { draft, setDraft } }: { readonly workbench: Workbench }) {
  const set = (changed: Partial<Draft>): void => setDraft({ ...draft, ...changed });
  const area = (label: string, member: 'headers' | 'body', minRows: number) => (
    <Textarea
      label={label}
      autosize
      minRows={minRows}
      maxRows={14}
      value={draft[member]}
      spellCheck={false}
      styles={mono}
      onChange={(event) => set({ [member]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Select
          label="Method"
          w={110}
          data={['GET', 'POST', 'PUT', 'PATCH', 'DELETE']}
          value={draft.method}
          allowDeselect={false}
          onChange={(method) => method !== null && set({ method })}
        />
        <TextInput
          label="Path and query"
          style={{ flex: 1 }}
          value={draft.target}
          styles={mono}
          onChange={(event) => set({ target: event.currentTarget.value })}
        />
      </Group>
      {area('Headers', 'headers', 4)}
      {area('Body', 'body', 4)}
    </>
  );
}
