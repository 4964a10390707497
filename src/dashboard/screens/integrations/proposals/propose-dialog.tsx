import { Modal, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { manage, pathOf } from '../../../api/manage';
import { useAction } from '../../../api/use-action';
import { ProblemAlert } from '../../../parts/problem-alert';
import { FeatureChoice, FormActions, switchedOn } from '../form-parts';
import type { Partner } from '../integration';

interface ProposeDialogProps {
  readonly opened: boolean;
  readonly hostApps: readonly Partner[];
  readonly miniapps: readonly Partner[];
  readonly onClose: () => void;
}

/** Proposes an integration between a host app and a miniapp. */
export function ProposeDialog({ opened, onClose, ...partners }: ProposeDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Propose an integration" closeButtonProps={{ 'aria-label': 'Close' }}>
      <ProposeForm onClose={onClose} {...partners} />
    </Modal>
  );
}

function ProposeForm({ hostApps, miniapps, onClose }: Omit<ProposeDialogProps, 'opened'>) {
  const [clientId, setClientId] = useState(hostApps[0]?.client_id ?? '');
  const [appId, setAppId] = useState(miniapps[0]?.app_id ?? '');
  const [features, setFeatures] = useState<readonly string[]>(['sso', 'payments']);
  const propose = useAction(
    () => {
      const body = { status: 'proposed', features: switchedOn(features) };
      // Only for a new integration: a proposal must not overwrite an existing one.
      return manage('PUT', `/integrations${pathOf(clientId, appId)}`, { body, headers: { 'If-None-Match': '*' } });
    },
    { touches: ['/integrations'], done: 'The integration is proposed', showsErrors: false },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        propose.mutate(undefined, { onSuccess: onClose });
      }}
    >
      <Stack gap="sm">
        <NativeSelect
          label="Host app"
          value={clientId}
          onChange={({ currentTarget }) => setClientId(currentTarget.value)}
          data={hostApps.map(({ client_id = '', name }) => ({ value: client_id, label: `${name} (${client_id})` }))}
        />
        <NativeSelect
          label="Miniapp"
          value={appId}
          onChange={({ currentTarget }) => setAppId(currentTarget.value)}
          data={miniapps.map(({ app_id = '', name }) => ({ value: app_id, label: `${name} (${app_id})` }))}
        />
        <FeatureChoice chosen={features} onChange={setFeatures} />
        {propose.error && <ProblemAlert error={propose.error} />}
        <FormActions action="Propose" isPending={propose.isPending} onClose={onClose} />
      </Stack>
    </form>
  );
}
