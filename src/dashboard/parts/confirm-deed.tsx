import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ProblemAlert } from './problem-alert';
import { ReturnFocus } from './return-focus';

interface ConfirmDeedProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** What the button says: "Resend 12". */
  readonly deed: string;
  readonly danger?: boolean;
  /** `required`: nothing is done without a reason, which is kept in the audit log. */
  readonly reason?: 'required' | 'optional';
  /** Does it; what it throws is shown here. The dialog closes when it resolves. */
  readonly onConfirm: (reason: string) => Promise<unknown>;
}

/** Asks before something is done that others notice. */
export function ConfirmDeed({ opened, onClose, title, ...rest }: ConfirmDeedProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <ReturnFocus />
      <ConfirmForm onClose={onClose} {...rest} />
    </Modal>
  );
}

/** Runs a deed; knows whether it is under way and what it threw. */
function useAttempt(deed: () => Promise<unknown>, onDone: () => void): { error: unknown; isUnderWay: boolean; run: () => Promise<void> } {
  const [error, setError] = useState<unknown>();
  const [isUnderWay, setUnderWay] = useState(false);
  const run = async (): Promise<void> => {
    setUnderWay(true);
    setError(undefined);
    try {
      await deed();
      onDone();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setUnderWay(false);
    }
  };
  return { error, isUnderWay, run };
}

function ConfirmForm({ onClose, children, deed, danger = false, reason, onConfirm }: Omit<ConfirmDeedProps, 'opened' | 'title'>) {
  const [text, setText] = useState('');
  const attempt = useAttempt(() => onConfirm(text.trim()), onClose);
  const lacksReason = reason === 'required' && text.trim() === '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!lacksReason) void attempt.run();
      }}
    >
      <Stack gap="md">
        <Text size="sm" component="div">
          {children}
        </Text>
        {reason && <ReasonField value={text} isRequired={reason === 'required'} onChange={setText} />}
        {attempt.error !== undefined && <ProblemAlert error={attempt.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" {...(danger && { color: 'red.9' })} loading={attempt.isUnderWay} disabled={lacksReason}>
            {deed}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ReasonFieldProps {
  readonly value: string;
  readonly isRequired: boolean;
  readonly onChange: (text: string) => void;
}

function ReasonField({ value, isRequired, onChange }: ReasonFieldProps) {
  return (
    <TextInput
      label="Reason"
      description="Kept in the audit log"
      required={isRequired}
      maxLength={200}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
