import { createBrowserRouter, type RouteObject } from 'react-router';
import { screens } from '../screens';
import { ErrorPage } from './error-page';
import { NotFound } from './not-found';
import { ScreenOutlet } from './screen-outlet';
import { SetPasswordPage } from './sign-in/set-password-page';
import { Shell } from './shell';
import { SignInGate } from './sign-in/sign-in-gate';
import { SignInPage } from './sign-in/sign-in-page';

const screenRoutes: readonly RouteObject[] = screens.map((screen) => ({
  path: screen.path,
  element: <ScreenOutlet screen={screen} />,
  errorElement: <ErrorPage />,
}));

/** All paths below /dashboard: the screens inside their frame, behind the sign-in. */
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
