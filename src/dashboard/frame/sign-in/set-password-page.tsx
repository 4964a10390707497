import { Anchor, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useSignIn } from '../../api/session';
import { ProblemAlert } from '../../parts/problem-alert';
import { EntryCard } from './entry-card';
import { useNewPassword } from './new-password';
import { useAttempt } from './use-attempt';

/** Target of invitations and of links to a new password: sets the password and signs its owner in. The token is in the URL's fragment. */
export function SetPasswordPage() {
  const token = useLocation().hash.slice(1);
  const signIn = useSignIn();
  const [isDone, setDone] = useState(false);
  const password = useNewPassword();
  const { error, isPending, submit } = useAttempt(async () => {
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
          <Button type="submit" loading={isPending} disabled={!password.isRight}>
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
