import { Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { manage, pathOf } from '../../../api/manage';
import { useAction } from '../../../api/use-action';
import { ProblemAlert } from '../../../parts/problem-alert';
import type { PartnerKind } from '../integration';
import { FeatureChoice, FormActions, switchedOn } from '../form-parts';
import { idWords, kindWords, otherKind } from './proposal';

interface ProposeToDialogProps {
  readonly opened: boolean;
  readonly own: { readonly kind: PartnerKind; readonly id: string };
  readonly onClose: () => void;
}

const longestNote = 500;

/** A partner proposes an integration to another one, by its id. */
export function ProposeToDialog({ opened, own, onClose }: ProposeToDialogProps) {
  const title = `Propose to a ${kindWords[otherKind[own.kind]]}`;
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <ProposeToForm own={own} onClose={onClose} />
    </Modal>
  );
}

function ProposeToForm({ own, onClose }: Omit<ProposeToDialogProps, 'opened'>) {
  const [id, setId] = useState('');
  const [note, setNote] = useState('');
  const [features, setFeatures] = useState<readonly string[]>(['sso', 'payments']);
  const other = otherKind[own.kind];
  const propose = useAction(
    () => {
      const pair = own.kind === 'host-app' ? pathOf(own.id, id.trim()) : pathOf(id.trim(), own.id);
      const body = { features: switchedOn(features), ...(note.trim() !== '' && { note: note.trim() }) };
      return manage('PUT', `/integrations${pair}/proposal`, { body });
    },
    { touches: ['/integrations'], done: 'It is proposed: the other side sees it now', showsErrors: false },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        propose.mutate(undefined, { onSuccess: onClose });
      }}
    >
      <Stack gap="sm">
        <IdField kind={other} value={id} onChange={setId} />
        <FeatureChoice chosen={features} onChange={setFeatures} />
        <NoteField value={note} onChange={setNote} />
        {propose.error && <ProblemAlert error={propose.error} />}
        <FormActions action="Propose" isPending={propose.isPending} onClose={onClose} />
      </Stack>
    </form>
  );
}

interface FieldProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function IdField({ kind, value, onChange }: FieldProps & { readonly kind: PartnerKind }) {
  return (
    <TextInput
      label={`${idWords[kind]} of the ${kindWords[kind]}`}
      description={`The ${kindWords[kind]} gives it to you; it is told your name and logo.`}
      placeholder={kind === 'host-app' ? 'host_…' : 'app_…'}
      required
      maxLength={64}
      pattern="\s*[A-Za-z0-9_\-]{1,64}\s*"
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function NoteField({ value, onChange }: FieldProps) {
  return (
    <Textarea
      label="Note"
      description="What you have agreed on, or whom to ask"
      maxLength={longestNote}
      autosize
      minRows={2}
      maxRows={6}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
