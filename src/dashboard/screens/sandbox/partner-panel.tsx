import { Button, Group, NumberInput, Stack } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { manage, pathOf } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { Panel } from '../../parts/panel';
import { StateBadge } from '../../parts/state-badge';
import { type Dials, partnerName, type SimulatedPartner } from './sandbox-model';

const noFaults: Dials = { delay_ms: 0, error_percent: 0, malformed_percent: 0, refused_percent: 0, hang_percent: 0 };
const dials = [
  { name: 'delay_ms', label: 'Delay', suffix: ' ms', max: 60_000, step: 100 },
  { name: 'error_percent', label: 'Errors (500)', suffix: ' %', max: 100, step: 10 },
  { name: 'malformed_percent', label: 'Malformed JSON', suffix: ' %', max: 100, step: 10 },
  { name: 'refused_percent', label: 'Refused (401)', suffix: ' %', max: 100, step: 10 },
  { name: 'hang_percent', label: 'No answer', suffix: ' %', max: 100, step: 10 },
] as const;

/** A simulated partner: its page, and its fault settings. */
export function PartnerPanel({ partner: { id, url, dials: present } }: { readonly partner: SimulatedPartner }) {
  const [changed, setChanged] = useState<Dials>();
  const shown = changed ?? present ?? noFaults;
  const set = useAction((to: Dials) => manage('PUT', `${pathOf('sandbox', 'partners', id)}/dials`, { body: to }), {
    touches: ['/sandbox'],
    done: (_answer, to) => (isUnchanged(to) ? 'All faults are off' : 'The faults are set'),
  });
  const turn = (to: Dials): void => set.mutate(to, { onSuccess: () => setChanged(undefined) });
  const faulty = present !== null && !isUnchanged(present);
  return (
    <Panel
      title={partnerName[id]}
      lead={<StateBadge tone={faulty ? 'warn' : 'good'}>{faulty ? 'misbehaves' : 'behaves'}</StateBadge>}
      actions={<OpenPage url={url} />}
    >
      <Stack gap="sm">
        <DialFields shown={shown} onChange={setChanged} />
        <Group gap="xs">
          <Button size="compact-sm" disabled={changed === undefined} loading={set.isPending} onClick={() => turn(shown)}>
            Set faults
          </Button>
          <Button size="compact-sm" variant="default" disabled={!faulty && changed === undefined} onClick={() => turn(noFaults)}>
            All off
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}

function OpenPage({ url }: { readonly url: string }) {
  const mark = <IconExternalLink size={14} aria-hidden />;
  return (
    <Button component="a" href={url} target="_blank" rel="noreferrer" size="compact-sm" variant="light" rightSection={mark}>
      Open its page
    </Button>
  );
}

interface DialFieldsProps {
  readonly shown: Dials;
  readonly onChange: (dials: Dials) => void;
}

function DialFields({ shown, onChange }: DialFieldsProps) {
  return (
    <Group gap="sm" align="flex-end">
      {dials.map(({ name, label, ...rest }) => (
        <NumberInput
          key={name}
          {...rest}
          {...{ label, min: 0, w: 128, size: 'sm', clampBehavior: 'strict', allowDecimal: false, value: shown[name] }}
          onChange={(value) => onChange({ ...shown, [name]: Number(value) || 0 })}
        />
      ))}
    </Group>
  );
}

const isUnchanged = (of: Dials): boolean => dials.every(({ name }) => of[name] === 0);
