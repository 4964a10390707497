import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem } from '../../api/problem';
import { ProblemAlert } from '../../parts/problem-alert';
import { ReturnFocus } from '../../parts/return-focus';
import type { PartnerRef } from '../../parts/use-partner-choice';
import type { Allowlist, Entry } from './allowlist';
import { useAllowlistChange } from './use-allowlist';

interface EntryDialogProps {
  readonly partner: PartnerRef;
  readonly list: Allowlist;
  /** `new` adds an entry; an address adds an entry that starts with it. */
  readonly entry: Entry | 'new' | { readonly address: string };
  readonly onClose: () => void;
}

/** Adds an entry, or changes its label. */
export function EntryDialog(props: EntryDialogProps) {
  const { entry, onClose } = props;
  const title = typeof entry === 'object' && 'entry' in entry ? `Name ${entry.entry}` : 'Add to the allowlist';
  return (
    <Modal opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <ReturnFocus />
      <EntryForm {...props} />
    </Modal>
  );
}

function EntryForm({ partner, list, entry, onClose }: EntryDialogProps) {
  const present = typeof entry === 'object' && 'entry' in entry ? entry : undefined;
  const [address, setAddress] = useState(typeof entry === 'object' && 'address' in entry ? entry.address : (present?.entry ?? ''));
  const [label, setLabel] = useState(present?.label ?? '');
  const text = address.trim();
  const { mutateAsync, isPending, error } = useAllowlistChange(partner, present ? 'Named' : `${text} is on the list`);
  const refusal = error instanceof Problem ? error.errors.find(({ path }) => path.startsWith('ip_whitelist.addresses')) : undefined;
  const save = async (): Promise<void> => {
    const entries = list.entries.map((one) => one.entry);
    const addresses = entries.includes(text) ? entries : [...entries, text];
    const labels = { [text]: label.trim() === '' ? null : label.trim() };
    await mutateAsync({ addresses, labels }).then(onClose, () => undefined);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack>
        {!present && <AddressField value={address} onChange={setAddress} refusal={refusal?.rule} />}
        <LabelField value={label} onChange={setLabel} />
        {error && !refusal && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} children="Cancel" />
          <Button type="submit" loading={isPending} disabled={text === ''} children={present ? 'Save' : 'Add'} />
        </Group>
      </Stack>
    </form>
  );
}

function LabelField({ value, onChange }: { readonly value: string; readonly onChange: (text: string) => void }) {
  return (
    <TextInput
      label="Label"
      description="What people call it: Frankfurt data centre"
      maxLength={80}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface AddressFieldProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly refusal: string | undefined;
}

function AddressField({ value, onChange, refusal }: AddressFieldProps) {
  return (
    <>
      <TextInput
        data-autofocus
        required
        label="Address or network"
        description="198.51.100.7, 198.51.100.0/24, 2001:db8::/48"
        value={value}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        error={refusal}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {isWide(value.trim()) && (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle />} title="A very large network">
          It admits millions of addresses that are not this partner&apos;s. Prefer the addresses that its back end really calls from.
        </Alert>
      )}
    </>
  );
}

/** The service's own rule for a warning: shorter than /8, or /32 in IPv6. */
function isWide(entry: string): boolean {
  const [address = '', prefix] = entry.split('/');
  return prefix !== undefined && /^\d+$/.test(prefix) && Number(prefix) < (address.includes(':') ? 32 : 8);
}
