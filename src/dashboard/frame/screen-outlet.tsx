import { Suspense, useEffect } from 'react';
import { useSession } from '../api/session';
import { ScreenSkeleton } from '../parts/screen-skeleton';
import type { Screen } from '../screens';
import { NotFound } from './not-found';

/** Shows a screen: a skeleton while it loads, and "not found" for other roles. */
export function ScreenOutlet({ screen: { title, who, Component } }: { readonly screen: Screen }) {
  const { role, viewAs } = useSession();
  useEffect(() => {
    document.title = `${title} · Pierhead`;
  }, [title]);
  if (who && !who.includes(viewAs?.role ?? role)) return <NotFound />;
  return (
    <Suspense fallback={<ScreenSkeleton />}>
      <Component />
    </Suspense>
  );
}
