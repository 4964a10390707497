import {
  IconBuildingBridge2,
  IconChartBar,
  IconChecklist,
  IconCreditCard,
  IconFlask,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconPlugConnected,
  IconSend,
  IconServer,
  IconShieldLock,
  IconSignature,
  IconUserCheck,
  IconUserCircle,
  IconUsers,
  type Icon,
} from '@tabler/icons-react';
import { lazy, type ComponentType } from 'react';
import type { Role } from './api/session';

/** A screen: path, title, roles and component. */
export interface Screen {
  /** Path below `/dashboard`; `/` is the first screen. */
  readonly path: string;
  readonly title: string;
  /** Heading in the navigation. Absent when only other screens link to it. */
  readonly group?: 'Traffic' | 'Partners' | 'Tools' | 'Service';
  readonly icon: Icon;
  /** The letter after `g` that opens it. */
  readonly key?: string;
  /** Absent when every role may see it. */
  readonly who?: readonly Role[];
  readonly Component: ComponentType;
}

const operator: readonly Role[] = ['operator'];

/** All screens. Each is a separate chunk that is loaded when it is first opened. */
export const screens: readonly Screen[] = [
  {
    ...{ path: '/', title: 'Overview', group: 'Traffic', icon: IconLayoutDashboard, key: 'o' },
    Component: lazy(() => import('./screens/overview/overview-screen')),
  },
  {
    ...{ path: '/requests', title: 'Requests', group: 'Traffic', icon: IconListDetails, key: 'r' },
    Component: lazy(() => import('./screens/requests/requests-screen')),
  },
  {
    ...{ path: '/requests/:kind/:id', title: 'Timeline', icon: IconListDetails },
    Component: lazy(() => import('./screens/requests/request-screen')),
  },
  {
    ...{ path: '/requests/:id', title: 'Request', icon: IconListDetails },
    Component: lazy(() => import('./screens/requests/request-screen')),
  },
  {
    ...{ path: '/payments', title: 'Payments', group: 'Traffic', icon: IconCreditCard, key: 'p' },
    Component: lazy(() => import('./screens/payments/payments-screen')),
  },
  {
    ...{ path: '/payments/:id', title: 'Payment', icon: IconCreditCard },
    Component: lazy(() => import('./screens/payments/payment-screen')),
  },
  {
    ...{ path: '/deliveries', title: 'Deliveries', group: 'Traffic', icon: IconSend, key: 'd' },
    Component: lazy(() => import('./screens/deliveries/deliveries-screen')),
  },
  {
    ...{ path: '/deliveries/:id', title: 'Delivery', icon: IconSend },
    Component: lazy(() => import('./screens/deliveries/delivery-screen')),
  },
  {
    ...{ path: '/users', title: 'Sign-on and consent', group: 'Traffic', icon: IconUserCheck, key: 'u', who: ['operator', 'host-app'] },
    Component: lazy(() => import('./screens/users/users-screen')),
  },
  {
    ...{ path: '/analytics', title: 'Analytics', group: 'Traffic', icon: IconChartBar, key: 'y' },
    Component: lazy(() => import('./screens/analytics/analytics-screen')),
  },
  {
    ...{ path: '/integrations', title: 'Integrations', group: 'Partners', icon: IconPlugConnected, key: 'i' },
    Component: lazy(() => import('./screens/integrations/integrations-screen')),
  },
  {
    ...{ path: '/integrations/:clientId/:appId', title: 'Integration', icon: IconBuildingBridge2 },
    Component: lazy(() => import('./screens/integrations/integration-screen')),
  },
  {
    ...{ path: '/credentials', title: 'Credentials and keys', group: 'Partners', icon: IconKey, key: 'k' },
    Component: lazy(() => import('./screens/credentials/credentials-screen')),
  },
  {
    ...{ path: '/allowlist', title: 'IP allowlist', group: 'Partners', icon: IconShieldLock, key: 'l' },
    Component: lazy(() => import('./screens/allowlist/allowlist-screen')),
  },
  {
    ...{ path: '/workbench', title: 'Signature workbench', group: 'Tools', icon: IconSignature, key: 'w' },
    Component: lazy(() => import('./screens/workbench/workbench-screen')),
  },
  {
    ...{ path: '/sandbox', title: 'Sandbox', group: 'Tools', icon: IconFlask, key: 's', who: operator },
    Component: lazy(() => import('./screens/sandbox/sandbox-screen')),
  },
  {
    ...{ path: '/conformance', title: 'Conformance', group: 'Tools', icon: IconChecklist, key: 'c' },
    Component: lazy(() => import('./screens/conformance/conformance-screen')),
  },
  {
    ...{ path: '/audit', title: 'Audit log', group: 'Service', icon: IconHistory, key: 'a' },
    Component: lazy(() => import('./screens/audit/audit-screen')),
  },
  {
    ...{ path: '/accounts', title: 'Accounts', group: 'Service', icon: IconUsers, key: 'n', who: operator },
    Component: lazy(() => import('./screens/accounts/accounts-screen')),
  },
  {
    ...{ path: '/account', title: 'Your account', icon: IconUserCircle },
    Component: lazy(() => import('./screens/accounts/own-account-screen')),
  },
  {
    ...{ path: '/operator', title: 'Operator', group: 'Service', icon: IconServer, key: 'x', who: operator },
    Component: lazy(() => import('./screens/operator/operator-screen')),
  },
];

/** The screens that a role may see. */
export const screensOf = (role: Role): readonly Screen[] => screens.filter(({ who }) => who?.includes(role) ?? true);
