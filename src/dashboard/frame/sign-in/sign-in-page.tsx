import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { sessionQuery, useSignIn } from '../../api/session';
import { ProblemAlert } from '../../parts/problem-alert';
import { EntryCard } from './entry-card';
import { useAttempt } from './use-attempt';

/** The sign-in page; afterwards it returns to the requested page. A one-time link has its token in the URL's fragment. */
export function SignInPage() {
  const location = useLocation();
  const link = location.hash.slice(1);
  const [method, setMethod] = useState<'password' | 'token'>('password');
  const { data: session } = useQuery(sessionQuery);
  if (session && link === '') return <Navigate to={(location.state as { to?: string } | null)?.to ?? '/'} replace />;
  if (link !== '') return <LinkCard token={link} />;
  return method === 'password' ? <PasswordCard onOther={() => setMethod('token')} /> : <TokenCard onOther={() => setMethod('password')} />;
}

/** The link works once, so a click uses it: link previews must not. */
function LinkCard({ token }: { readonly token: string }) {
  const signIn = useSignIn();
  const [isUsed, setUsed] = useState(false);
  const { error, isPending, submit } = useAttempt(async () => {
    await signIn.by({ token });
    setUsed(true);
  });
  if (isUsed) return <Navigate to="/" replace />;
  return (
    <EntryCard title="Sign in" lead="This link signs you in once. It is good for a day.">
      <form onSubmit={submit}>
        <Stack>
          {error !== undefined && <ProblemAlert error={error} />}
          <Button type="submit" loading={isPending}>
            Sign in
          </Button>
          {error !== undefined && (
            <Anchor href="/dashboard/sign-in" size="sm">
              Sign in another way
            </Anchor>
          )}
        </Stack>
      </form>
    </EntryCard>
  );
}

function PasswordCard({ onOther }: { readonly onOther: () => void }) {
  const signIn = useSignIn();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { error, isPending, submit } = useAttempt(() => signIn.by({ email: email.trim(), password }));
  return (
    <EntryCard title="Sign in" lead="Accounts are made by Pierhead’s operator, who sends a link.">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            required
            data-autofocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          />
          {error !== undefined && <ProblemAlert error={error} />}
          <Button type="submit" loading={isPending}>
            Sign in
          </Button>
          <Anchor component="button" type="button" size="sm" onClick={onOther}>
            Use the operator token
          </Anchor>
        </Stack>
      </form>
    </EntryCard>
  );
}

function TokenCard({ onOther }: { readonly onOther: () => void }) {
  const signIn = useSignIn();
  const [token, setToken] = useState('');
  const { error, isPending, submit } = useAttempt(() => signIn.byToken(token.trim()));
  return (
    <EntryCard title="Sign in" lead="With Pierhead’s operator token. It stays in this page and is forgotten when you leave it.">
      <form onSubmit={submit}>
        <Stack>
          <PasswordInput
            label="Operator token"
            autoComplete="off"
            required
            data-autofocus
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
          />
          {error !== undefined && <ProblemAlert error={error} />}
          <Button type="submit" loading={isPending} disabled={token.trim() === ''}>
            Sign in
          </Button>
          <Anchor component="button" type="button" size="sm" onClick={onOther}>
            Use an account
          </Anchor>
        </Stack>
      </form>
    </EntryCard>
  );
}
