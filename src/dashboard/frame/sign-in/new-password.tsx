import { PasswordInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';

export interface NewPassword {
  readonly text: string;
  /** The password is long enough and was entered twice. */
  readonly isRight: boolean;
  readonly fields: ReactNode;
}

const minLength = 12;

/** A new password, entered twice to detect typing errors. */
export function useNewPassword(): NewPassword {
  const [text, setText] = useState('');
  const [again, setAgain] = useState('');
  const isOther = again !== '' && again !== text;
  const common = { autoComplete: 'new-password', required: true };
  const fields = (
    <>
      <PasswordInput
        {...common}
        label="New password"
        description={`At least ${String(minLength)} characters; a few words are easy to remember`}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
      />
      <PasswordInput
        {...common}
        label="New password again"
        value={again}
        error={isOther ? 'It is not the same' : undefined}
        onChange={(event) => setAgain(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the repeated password' }}
      />
    </>
  );
  return { text, isRight: [...text].length >= minLength && text === again, fields };
}
