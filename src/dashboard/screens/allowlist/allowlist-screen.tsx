import { Stack } from '@mantine/core';
import { useRecord } from '../../api/use-record';
import { PartnerScreen, Waiting } from '../../parts/partner-screen';
import { ProblemAlert } from '../../parts/problem-alert';
import type { PartnerRef } from '../../parts/use-partner-choice';
import type { Allowlist } from './allowlist';
import { AddressPanel } from './address-panel';
import { EntriesPanel } from './entries-panel';
import { RefusedPanel } from './refused-panel';
import { SwitchPanel } from './switch-panel';
import { TrialPanel } from './trial-panel';

/** The addresses that may call for a partner. */
export default function AllowlistScreen() {
  return (
    <PartnerScreen title="IP allowlist" lead="Calls for this partner are taken from these addresses alone, whatever else they prove.">
      {(partner) => <OfPartner partner={partner} />}
    </PartnerScreen>
  );
}

function OfPartner({ partner }: { readonly partner: PartnerRef }) {
  const { data, error, refetch } = useRecord<Allowlist>(`${partner.path}/ip-whitelist`, { everyMs: 10_000 });
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Waiting />;
  return (
    <Stack gap="md">
      <SwitchPanel partner={partner} list={data} />
      <EntriesPanel partner={partner} list={data} />
      <RefusedPanel partner={partner} list={data} />
      <TrialPanel partner={partner} list={data} />
      <AddressPanel list={data} />
    </Stack>
  );
}
