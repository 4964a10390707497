import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { onSignedOut } from '../../api/proof';
import { sessionQuery } from '../../api/session';
import { ErrorPanel } from '../error-panel';
import { ScreenSkeleton } from '../../parts/screen-skeleton';

/** Shows its content to signed-in accounts. Others go to the sign-in and then return to the requested page. */
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
