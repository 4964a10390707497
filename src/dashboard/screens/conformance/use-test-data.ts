import { useSessionStorage } from '@mantine/hooks';
import type { Partner } from './chosen-partner';
import { testDataOf, type TypedTestData } from './test-data';

/** Test data of a partner. It stays in this browser tab, because codes and addresses are private. */
export function useTestData({ role, client_id: clientId, app_id: appId }: Partner) {
  const key = `pierhead.conformance.${role}.${role === 'host-app' ? clientId : appId}`;
  const [typed, keep] = useSessionStorage<TypedTestData>({ key, defaultValue: {}, getInitialValueInEffect: false });
  return { typed, keep, test: testDataOf(role, typed) };
}
