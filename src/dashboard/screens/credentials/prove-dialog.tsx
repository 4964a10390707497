import { Modal } from '@mantine/core';
import { ReturnFocus } from '../../parts/return-focus';
import { ProofForm } from './proof-form';
import { isProvable } from './credential';
import type { OfValue } from './of-value';

/** Proves possession: the partner signs a text with its new private key. */
export function ProveDialog({ partner, credential, value, onClose }: OfValue & { readonly onClose: () => void }) {
  const kind = credential.credential;
  if (!isProvable(kind) || value.slot === 'previous') return null;
  return (
    <Modal opened onClose={onClose} title="Prove possession" size="lg" centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <ReturnFocus />
      <ProofForm partner={partner} credential={kind} slot={value.slot} onProved={onClose} />
    </Modal>
  );
}
