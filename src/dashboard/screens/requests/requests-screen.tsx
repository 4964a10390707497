import { SegmentedControl, Stack } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { PageHead } from '../../parts/page-head';
import { RecordList } from '../../parts/records/record-list';
import { withFilter } from '../../parts/records/filters';
import { CausesPanel } from './causes-panel';
import { requestColumns, requestFilters } from './request-columns';
import type { ExchangeRow } from './request-model';
import { RequestCharts } from './request-charts';
import { NoRequests } from './no-requests';

/** All calls with route, sender and outcome. */
export default function RequestsScreen() {
  const [search, setSearch] = useSearchParams();
  const isGrouped = search.get('group') === 'cause';
  return (
    <>
      <PageHead
        title="Requests"
        lead="Every call that came in, and every poll of the reconciler."
        actions={<GroupSwitch isGrouped={isGrouped} onChange={(value) => setSearch((before) => withFilter(before, 'group', value))} />}
      />
      <Stack gap="md">
        <RequestCharts />
        {isGrouped ? (
          <CausesPanel />
        ) : (
          <RecordList<ExchangeRow>
            title="Requests"
            path="/exchanges"
            ranged
            live="exchanges"
            idOf={({ id }) => id}
            linkOf={({ id }) => `/requests/${id}`}
            filters={requestFilters}
            columns={requestColumns}
            empty={<NoRequests />}
          />
        )}
      </Stack>
    </>
  );
}

const groupings = [
  { value: '', label: 'One by one' },
  { value: 'cause', label: 'By cause' },
];

function GroupSwitch({ isGrouped, onChange }: { readonly isGrouped: boolean; readonly onChange: (value: string) => void }) {
  return <SegmentedControl aria-label="Show" data={groupings} value={isGrouped ? 'cause' : ''} onChange={onChange} />;
}
