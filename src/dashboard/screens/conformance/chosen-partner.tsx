import { Group, SegmentedControl, Select } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useSession } from '../../api/session';
import { useRecord } from '../../api/use-record';
import type { Role } from './conformance-model';

interface Pair {
  readonly client_id: string;
  readonly app_id: string;
}

export interface Partner extends Pair {
  readonly role: Role;
}

const nameOf = ({ client_id: clientId, app_id: appId }: Pair): string => `${clientId} × ${appId}`;

/** The partner to test: from the URL, else the first one. A partner's account sees only itself. */
export function usePartner() {
  const { role: viewer } = useSession();
  const { data, isPending, error } = useRecord<{ data: readonly Pair[] }>('/integrations', { query: { limit: 200 } });
  const [search, setSearch] = useSearchParams();
  const pairs = data?.data ?? [];
  const pair = pairs.find((one) => one.client_id === search.get('client_id') && one.app_id === search.get('app_id')) ?? pairs[0];
  const role: Role = viewer !== 'operator' ? viewer : search.get('role') === 'host-app' ? 'host-app' : 'miniapp';
  const choose = (chosen: Partner): void =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      for (const [name, value] of Object.entries(chosen)) after.set(name, String(value));
      return after;
    });
  return { pairs, partner: pair && { role, client_id: pair.client_id, app_id: pair.app_id }, choose, isPending, error };
}

interface ChosenPartnerProps {
  readonly pairs: readonly Pair[];
  readonly partner: Partner;
  readonly onChoose: (partner: Partner) => void;
}

export function ChosenPartner({ pairs, partner, onChoose }: ChosenPartnerProps) {
  const { role: viewer } = useSession();
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label="Integration"
        miw={{ base: '100%', sm: 360 }}
        data={pairs.map(nameOf)}
        value={nameOf(partner)}
        allowDeselect={false}
        onChange={(name) => {
          const pair = pairs.find((one) => nameOf(one) === name);
          if (pair) onChoose({ role: partner.role, client_id: pair.client_id, app_id: pair.app_id });
        }}
      />
      {viewer === 'operator' && (
        <SegmentedControl
          aria-label="Which partner is driven"
          data={[
            { value: 'miniapp', label: 'Miniapp' },
            { value: 'host-app', label: 'Host app' },
          ]}
          value={partner.role}
          onChange={(role) => onChoose({ ...partner, role: role === 'host-app' ? 'host-app' : 'miniapp' })}
        />
      )}
    </Group>
  );
}
