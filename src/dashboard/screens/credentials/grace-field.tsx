import { Select } from '@mantine/core';

const choices = [
  { value: '0', label: 'Not at all: cut over at once' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '24 hours' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

/** Seconds that the replaced value stays accepted. */
export function GraceField({ seconds, onChange }: { readonly seconds: number; readonly onChange: (seconds: number) => void }) {
  return (
    <Select
      label="The present value stays accepted for"
      description="Calls that are under way, and servers that are late, go on"
      data={choices}
      value={String(seconds)}
      allowDeselect={false}
      onChange={(value) => onChange(Number(value))}
    />
  );
}
