import { Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconKey, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { Page } from '../../api/use-records';
import { useRecord } from '../../api/use-record';
import { RefusalsChart } from '../../parts/figures/traffic-charts';
import { EmptyState } from '../../parts/empty-state';
import { Panel } from '../../parts/panel';
import { PartnerScreen, Waiting } from '../../parts/partner-screen';
import { ProblemAlert } from '../../parts/problem-alert';
import type { PartnerRef } from '../../parts/use-partner-choice';
import { AnalyticsPanel } from './analytics-panel';
import type { Credential, CredentialKind, PartnerSettings } from './credential';
import { CredentialPanel } from './credential-panel';
import { MethodCards } from './method-cards';
import type { Method } from './methods';
import { RotationWizard } from './rotation/rotation-wizard';
import { DryRunPanel } from './dry-run-panel';

/** The credentials between a partner and the platform, and their rotation. */
export default function CredentialsScreen() {
  return (
    <PartnerScreen title="Credentials and keys" lead="What a partner and Pierhead prove themselves to each other with.">
      {(partner) => <OfPartner partner={partner} />}
    </PartnerScreen>
  );
}

/** The subject of the wizard: a method, or a credential. */
export interface WizardStart {
  readonly method?: Method;
  readonly credential?: CredentialKind;
}

function OfPartner({ partner }: { readonly partner: PartnerRef }) {
  const [wizard, setWizard] = useState<WizardStart>();
  const credentials = useRecord<Page<Credential>>(`${partner.path}/credentials`, { everyMs: 15_000 });
  const settings = useRecord<PartnerSettings>(partner.path);
  const error = credentials.error ?? settings.error;
  if (error && !credentials.data) return <ProblemAlert error={error} onRetry={() => void credentials.refetch()} />;
  if (!credentials.data || !settings.data) return <Waiting />;
  const all = credentials.data.data;
  return (
    <Stack gap="md">
      <StartPanel settings={settings.data} onStart={(method) => setWizard({ method })} />
      {settings.data.signature_dry_run && <DryRunPanel partner={partner} settings={settings.data} />}
      {all.length === 0 && (
        <EmptyState icon={IconKey} title="No credentials yet">
          Choose above how this partner proves itself.
        </EmptyState>
      )}
      <Sides partner={partner} all={all} onRotate={(credential) => setWizard({ credential })} />
      {partner.kind === 'miniapp' && settings.data.signature.enabled && <AnalyticsPanel partner={partner} settings={settings.data} />}
      <PublishedPanel />
      <RefusalsChart query={partner.kind === 'host-app' ? { client_id: partner.id } : { app_id: partner.id }} />
      {wizard && (
        <RotationWizard partner={partner} settings={settings.data} all={all} start={wizard} onClose={() => setWizard(undefined)} />
      )}
    </Stack>
  );
}

interface StartPanelProps {
  readonly settings: PartnerSettings;
  readonly onStart: (method: Method) => void;
}

function StartPanel({ settings: { signature }, onStart }: StartPanelProps) {
  const inForce: Method = signature.enabled ? (signature.algorithm ?? 'HMAC') : 'Basic';
  return (
    <Panel title="Rotate or change" lead="Four ways to prove a call. The wizard stages the new key first, so that nothing breaks.">
      <MethodCards inForce={inForce} onChoose={onStart} />
    </Panel>
  );
}

interface SidesProps {
  readonly partner: PartnerRef;
  readonly all: readonly Credential[];
  readonly onRotate: (credential: CredentialKind) => void;
}

/** Credentials in use come first; unused ones come last. */
function Sides({ partner, all, onRotate }: SidesProps) {
  const sorted = [...all].sort((a, b) => Number(b.is_active) - Number(a.is_active));
  return (
    <SimpleGrid cols={{ base: 1, lg: Math.min(2, all.length) }} spacing="md" style={{ alignItems: 'start' }}>
      {sorted.map((one) => (
        <CredentialPanel key={one.credential} partner={partner} credential={one} onRotate={() => onRotate(one.credential)} />
      ))}
    </SimpleGrid>
  );
}

function PublishedPanel() {
  return (
    <Panel
      title="Keys that Pierhead publishes"
      lead="Partners check Pierhead’s signatures with them; read again once a day, they follow a rotation by themselves."
    >
      <Group gap="md">
        <Button
          component="a"
          href="/.well-known/pierhead.json"
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
        >
          Open the key set (JWKS)
        </Button>
        <Text size="sm" c="dimmed">
          <Anchor href="/.well-known/pierhead.json" target="_blank" rel="noreferrer" ff="monospace" size="sm">
            /.well-known/pierhead.json
          </Anchor>
        </Text>
      </Group>
    </Panel>
  );
}
