import { Button } from '@mantine/core';
import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
import type { Partner } from './chosen-partner';
import { useTestData } from './use-test-data';

/** Runs one scenario alone. */
export function StartScenario({ partner, id }: { readonly partner: Partner; readonly id: string }) {
  const { test } = useTestData(partner);
  const body = { ...partner, only: [id], ...(test && { test }) };
  const start = useAction(() => manage('POST', '/conformance/runs', { body }), {
    touches: ['/conformance/runs'],
    done: 'It runs alone',
  });
  return (
    <Button size="compact-sm" variant="default" mt="sm" loading={start.isPending} onClick={() => start.mutate()}>
      Run this alone
    </Button>
  );
}
