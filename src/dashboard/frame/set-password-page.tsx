import { Anchor, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useSignIn } from '../api/session';
import { ProblemAlert } from '../parts/problem-alert';
import { EntryCard } from './entry-card';
import { useNewPassword } from './new-password';
import { useAttempt } from './use-attempt';

/** Where an invitation, or a link to a new password, leads: the password is set, and its owner is in. The token stands after the `#`. */
export function SetPasswordPage() {
  const token = useLocation().hash.slice(1);
  const signIn = useSignIn();
  const [isDone, setDone] = useState(false);
  const password = useNewPassword();
  const { error, isUnderWay, submit } = useAttempt(async () => {
    await signIn.by({ token, new_password: password.text });
    setDone(true);
  });
  if (isDone) return <Navigate to="/" replace />;
  if (token === '') return <Navigate to="/sign-in" replace />;
  return (
    <EntryCard title="Choose a password" lead="This link works once. Other sessions of your account end.">
      <form onSubmit={submit}>
        <Stack>
          {password.fields}
          {error !== undefined && <ProblemAlert error={error} />}
          <Button type="submit" loading={isUnderWay} disabled={!password.isRight}>
            Set the password and sign in
          </Button>
          <Anchor href="/dashboard/sign-in" size="sm">
            Sign in with a password
          </Anchor>
        </Stack>
      </form>
    </EntryCard>
  );
}
