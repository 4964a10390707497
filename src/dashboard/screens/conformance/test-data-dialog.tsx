import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconForms } from '@tabler/icons-react';
import { useState } from 'react';
import type { Partner } from './chosen-partner';
import { mistakeIn, testFields, type TestField, type TypedTestData } from './test-data';
import { useTestData } from './use-test-data';

/** The partner's test data that a run needs. */
export function TestData({ partner }: { readonly partner: Partner }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { typed, keep, test } = useTestData(partner);
  const filled = Object.keys(test ?? {}).length;
  return (
    <>
      <Button variant="default" leftSection={<IconForms size={16} aria-hidden />} onClick={open}>
        Test data{filled > 0 && ` (${String(filled)})`}
      </Button>
      <Modal opened={isOpen} onClose={close} title="Test data" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
        <TestDataForm
          partner={partner}
          typed={typed}
          onKeep={(changed) => {
            keep(changed);
            close();
          }}
        />
      </Modal>
    </>
  );
}

interface TestDataFormProps {
  readonly partner: Partner;
  readonly typed: TypedTestData;
  readonly onKeep: (typed: TypedTestData) => void;
}

function TestDataForm({ partner, typed, onKeep }: TestDataFormProps) {
  const [values, setValues] = useState(typed);
  const fields = testFields(partner.role);
  const isWrong = fields.some((field) => mistakeIn(field, values[field.name] ?? '') !== undefined);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) onKeep(values);
      }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          What a run cannot know of a test environment. All of it may stay empty: scenarios that need it then do not apply. It is kept in
          this browser tab, and with each run.
        </Text>
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onKeep({})}>
            Empty all
          </Button>
          <Button type="submit" disabled={isWrong}>
            Use for the next runs
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FieldProps {
  readonly field: TestField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Field({ field, value, onChange }: FieldProps) {
  const { title: label, about: description, form, example: placeholder } = field;
  const shared = { label, description, value, error: mistakeIn(field, value), ...(placeholder !== undefined && { placeholder }) };
  if (form === 'text') return <TextInput {...shared} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
  return (
    <Textarea
      {...shared}
      autosize
      minRows={form === 'lines' ? 2 : 1}
      maxRows={6}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
