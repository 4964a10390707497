import { createBrowserRouter, type RouteObject } from 'react-router';
import { screens } from '../screens';
import { ErrorPage } from './error-page';
import { NotFound } from './not-found';
import { ScreenPlace } from './screen-place';
import { SetPasswordPage } from './set-password-page';
import { Shell } from './shell';
import { SignInGate } from './sign-in-gate';
import { SignInPage } from './sign-in-page';

const screenRoutes: readonly RouteObject[] = screens.map((screen) => ({
  path: screen.path,
  element: <ScreenPlace screen={screen} />,
  errorElement: <ErrorPage />,
}));

/** Every path below /dashboard: the screens in their frame, behind the sign-in. */
export const newRouter = () =>
  createBrowserRouter(
    [
      { path: '/sign-in', element: <SignInPage />, errorElement: <ErrorPage /> },
      { path: '/set-password', element: <SetPasswordPage />, errorElement: <ErrorPage /> },
      {
        element: (
          <SignInGate>
            <Shell />
          </SignInGate>
        ),
        errorElement: <ErrorPage />,
        children: [...screenRoutes, { path: '*', element: <NotFound /> }],
      },
    ],
    { basename: '/dashboard' },
  );
