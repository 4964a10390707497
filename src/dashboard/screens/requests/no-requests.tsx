import { Button } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useSession } from '../../api/session';
import { useRecord } from '../../api/use-record';
import { EmptyState } from '../../parts/empty-state';
import { useRange } from '../../parts/range/use-range';
import type { ExchangeRow } from './request-model';

const dayMs = 86_400_000;

/** Shown for an empty range: links to the newest requests, or to sources of traffic. */
export function NoRequests() {
  const { role } = useSession();
  const { set } = useRange();
  const { data } = useRecord<{ readonly data: readonly ExchangeRow[] }>('/exchanges', { query: { limit: 1 } });
  const newest = data?.data[0];
  const at = Date.parse(newest?.at ?? '');
  if (newest) {
    return (
      <EmptyState
        title="Nothing in this range"
        icon={IconListDetails}
        actions={<Button onClick={() => set({ from: at - dayMs / 2, to: at + dayMs / 2 })}>Go to the newest request</Button>}
      >
        There are requests at another time.
      </EmptyState>
    );
  }
  const start = role === 'operator' && (
    <Button component={Link} to="/sandbox">
      Open the sandbox
    </Button>
  );
  return (
    <EmptyState title="No requests yet" icon={IconListDetails} actions={start}>
      Requests appear here as soon as a host app or a miniapp calls. The sandbox makes some in a minute.
    </EmptyState>
  );
}
