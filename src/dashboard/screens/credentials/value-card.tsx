import { Button, Group, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { DetailList } from '../../parts/detail-list';
import { plural } from '../../parts/plural';
import { saveFile } from '../../parts/records/save-file';
import { ShortId } from '../../parts/short-id';
import { StateBadge, type Tone } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import { type CredentialValue, isProvable, type Slot, sizeOf } from './credential';
import styles from './credentials.module.css';
import type { OfValue } from './of-value';
import { PromoteDialog } from './promote-dialog';
import { ProveDialog } from './prove-dialog';
import { RetireDialog } from './retire-dialog';
import { SampleDialog } from './sample-dialog';

const slots: Readonly<Record<Slot, readonly [Tone, string]>> = {
  current: ['good', 'Current'],
  next: ['wait', 'Next'],
  previous: ['warn', 'Previous'],
};

const removals: Readonly<Record<CredentialValue['removal'], readonly [Tone, string]>> = {
  safe: ['good', 'Safe to remove'],
  'in-use': ['bad', 'Still in use'],
  needed: ['quiet', 'Needed'],
};

/** A value with its users and actions. */
export function ValueCard(props: OfValue) {
  const { value } = props;
  const [tone, title] = slots[value.slot];
  const [removalTone, removal] = removals[value.removal];
  return (
    <div className={styles.value}>
      <Group justify="space-between" gap="xs" mb={4}>
        <Group gap="xs">
          <StateBadge tone={tone}>{title}</StateBadge>
          <ShortId id={value.fingerprint} what="fingerprint" ends={11} />
        </Group>
        {value.slot !== 'current' && <StateBadge tone={removalTone}>{removal}</StateBadge>}
      </Group>
      <DetailList items={itemsOf(props)} />
      <ValueActions {...props} />
    </div>
  );
}

function itemsOf({ credential, value }: OfValue): readonly (readonly [string, ReactNode])[] {
  const time = (at: string | undefined, none: string) => (at === undefined ? none : <TimeText at={at} as="whole" />);
  const isInbound = credential.direction !== 'out';
  return [
    ['Type and size', value.unreadable ? undefined : sizeOf(value)],
    ['Problem', value.unreadable && 'The stored value does not open with any encryption key of the service: replace it'],
    ['Created', time(value.created_at, '')],
    ['Last used', time(value.last_used_at, 'Never')],
    ['Used from, 24 h', isInbound ? <Callers value={value} /> : undefined],
    ['Accepted until', value.valid_until === undefined ? undefined : time(value.valid_until, '')],
    ['Shared', value.shared && 'Another app has this key, too'],
    ['Possession proved', isProvable(credential.credential) ? time(value.proven_at, 'Not yet') : undefined],
  ];
}

function Callers({ value: { callers } }: { readonly value: CredentialValue }) {
  if (callers.length === 0) return 'Nowhere';
  return (
    <>
      {callers.slice(0, 5).map(({ address, uses }) => (
        <Text key={address} size="sm" component="div">
          <Text span ff="monospace" size="sm">
            {address}
          </Text>{' '}
          <Text span c="dimmed" size="sm">
            {plural(uses, 'call')}
          </Text>
        </Text>
      ))}
      {callers.length > 5 && (
        <Text size="sm" c="dimmed">
          and {callers.length - 5} more
        </Text>
      )}
    </>
  );
}

type Dialog = 'promote' | 'prove' | 'retire' | 'sample';

function ValueActions(props: OfValue) {
  const { credential, value } = props;
  const [dialog, setDialog] = useState<Dialog>();
  const close = (): void => setDialog(undefined);
  const isPlatformKey = credential.credential === 'platform_key';
  const button = (to: Dialog, text: string) => (
    <Button key={to} size="compact-sm" variant="default" aria-label={`${text}: ${value.fingerprint}`} onClick={() => setDialog(to)}>
      {text}
    </Button>
  );
  return (
    <Group gap={6} mt="xs">
      {value.slot === 'next' && button('promote', 'Promote')}
      {isProvable(credential.credential) && value.slot !== 'previous' && button('prove', 'Prove possession')}
      {isPlatformKey && value.public_key !== undefined && <DownloadKey publicKey={value.public_key} fingerprint={value.fingerprint} />}
      {isPlatformKey && value.slot !== 'previous' && button('sample', 'Signed sample')}
      {button('retire', 'Retire')}
      {dialog === 'promote' && <PromoteDialog {...props} onClose={close} />}
      {dialog === 'prove' && <ProveDialog {...props} onClose={close} />}
      {dialog === 'retire' && <RetireDialog {...props} onClose={close} />}
      {dialog === 'sample' && <SampleDialog {...props} onClose={close} />}
    </Group>
  );
}

function DownloadKey({ publicKey, fingerprint }: { readonly publicKey: string; readonly fingerprint: string }) {
  const isPem = publicKey.startsWith('-----');
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Download public key ${fingerprint}`}
      onClick={() => saveFile(isPem ? 'platform-public-key.pem' : 'platform-public-key.der.b64', publicKey, 'application/x-pem-file')}
    >
      Download public key
    </Button>
  );
}
