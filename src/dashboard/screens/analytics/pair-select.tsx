import { Select } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useRecord } from '../../api/use-record';

export interface Pair {
  readonly client_id: string;
  readonly app_id: string;
}

/** The integration in the URL, else the first one. */
export function usePair() {
  const { data, isPending } = useRecord<{ data: readonly Pair[] }>('/integrations', { query: { limit: 200 } });
  const [search] = useSearchParams();
  const pairs = data?.data ?? [];
  const found = pairs.find((one) => one.client_id === search.get('client_id') && one.app_id === search.get('app_id')) ?? pairs[0];
  return { pairs, pair: found && { client_id: found.client_id, app_id: found.app_id }, isPending };
}

const nameOf = ({ client_id: clientId, app_id: appId }: Pair): string => `${clientId} × ${appId}`;

export function PairSelect({ pairs, pair }: { readonly pairs: readonly Pair[]; readonly pair: Pair }) {
  const [, setSearch] = useSearchParams();
  return (
    <Select
      label="Integration"
      maw={420}
      data={pairs.map(nameOf)}
      value={nameOf(pair)}
      allowDeselect={false}
      onChange={(name) => {
        const chosen = pairs.find((one) => nameOf(one) === name);
        if (!chosen) return;
        setSearch((before) => {
          const after = new URLSearchParams(before);
          after.set('client_id', chosen.client_id);
          after.set('app_id', chosen.app_id);
          return after;
        });
      }}
    />
  );
}
