import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ProblemAlert } from './problem-alert';
import { ReturnFocus } from './return-focus';

interface ConfirmActionProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Describes the effect. */
  readonly children: ReactNode;
  /** Label of the button, such as "Resend 12". */
  readonly action: string;
  readonly danger?: boolean;
  /** `required`: the action needs a reason, which the audit log keeps. */
  readonly reason?: 'required' | 'optional';
  /** Performs the action. Errors are shown here; the dialog closes when it resolves. */
  readonly onConfirm: (reason: string) => Promise<unknown>;
}

/** Asks for confirmation before an action that affects others. */
export function ConfirmAction({ opened, onClose, title, ...rest }: ConfirmActionProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <ReturnFocus />
      <ConfirmForm onClose={onClose} {...rest} />
    </Modal>
  );
}

/** Runs an action, with its pending state and its error. */
function useAttempt(action: () => Promise<unknown>, onDone: () => void): { error: unknown; isPending: boolean; run: () => Promise<void> } {
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const run = async (): Promise<void> => {
    setPending(true);
    setError(undefined);
    try {
      await action();
      onDone();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return { error, isPending, run };
}

function ConfirmForm({ onClose, children, action, danger = false, reason, onConfirm }: Omit<ConfirmActionProps, 'opened' | 'title'>) {
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
          <Button type="submit" {...(danger && { color: 'red.9' })} loading={attempt.isPending} disabled={lacksReason}>
            {action}
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
