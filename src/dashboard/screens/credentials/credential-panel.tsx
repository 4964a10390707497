import { Button, Group } from '@mantine/core';
import { Panel } from '../../parts/panel';
import { StateBadge } from '../../parts/state-badge';
import type { PartnerRef } from '../../parts/use-partner-choice';
import { type Credential, purposeOf, titles } from './credential';
import { ValueCard } from './value-card';

interface CredentialPanelProps {
  readonly partner: PartnerRef;
  readonly credential: Credential;
  readonly onRotate: () => void;
}

const directions = { in: 'Inbound', out: 'Outbound', both: 'Both ways' } as const;

/** A credential with its purpose and values. */
export function CredentialPanel({ partner, credential, onRotate }: CredentialPanelProps) {
  const name = titles[credential.credential];
  return (
    <Panel
      title={name}
      lead={purposeOf(credential, partner)}
      actions={
        <Button variant="default" size="compact-sm" aria-label={`Rotate ${name}`} onClick={onRotate}>
          Rotate
        </Button>
      }
    >
      <Group gap="xs" mb="sm">
        <StateBadge tone={credential.is_active ? 'good' : 'quiet'}>{credential.is_active ? 'In force' : 'Not asked for'}</StateBadge>
        <StateBadge tone="info">{`${directions[credential.direction]} · ${credential.method}`}</StateBadge>
      </Group>
      {credential.values.map((value) => (
        <ValueCard key={`${value.slot} ${value.fingerprint}`} partner={partner} credential={credential} value={value} />
      ))}
    </Panel>
  );
}
