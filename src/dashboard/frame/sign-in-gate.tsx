import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { onSignedOut } from '../api/proof';
import { sessionQuery } from '../api/session';
import { ErrorPanel } from './error-panel';
import { ScreenSkeleton } from '../parts/screen-skeleton';

/** Lets signed-in accounts in; leads others to the sign-in, and from there back to where they wanted to go. */
export function SignInGate({ children }: { readonly children: ReactNode }) {
  const { pathname, search } = useLocation();
  const queries = useQueryClient();
  const session = useQuery(sessionQuery);
  useEffect(() => onSignedOut(() => queries.setQueryData(sessionQuery.queryKey, null)), [queries]);
  if (session.isPending) return <ScreenSkeleton />;
  if (session.error) return <ErrorPanel error={session.error} onRetry={() => void session.refetch()} />;
  if (!session.data) return <Navigate to="/sign-in" replace state={{ to: `${pathname}${search}` }} />;
  return children;
}
