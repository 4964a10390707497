import type { CredentialChanges } from '../partners/ports';
import type { CredentialKind, Credentials, CredentialSlot, CredentialSlots, CredentialValue } from './credential';

type SlotChanges = NonNullable<CredentialChanges[CredentialKind]>;

/** What a rotation writes: the new value is current, the one before it stays accepted for `previousValidForS` seconds (0: not at all). */
export function rotated(slots: CredentialSlots | undefined, value: CredentialValue, previousValidForS: number): SlotChanges {
  const before = slots?.current;
  if (!before || previousValidForS === 0) return { current: value, previous: undefined };
  return { current: value, previous: { ...before, validUntil: value.createdAt + previousValidForS * 1000 } };
}

/** What removing every value of a kind writes. */
export const withdrawn: SlotChanges = { current: undefined, previous: undefined, next: undefined };

/** The credentials after the changes. */
export function withChanges(credentials: Credentials, changes: CredentialChanges): Credentials {
  const result: Partial<Record<CredentialKind, CredentialSlots>> = { ...credentials };
  for (const [kind, slotChanges] of Object.entries(changes) as [CredentialKind, SlotChanges][]) {
    const slots: Partial<Record<CredentialSlot, CredentialValue>> = { ...result[kind] };
    for (const [slot, value] of Object.entries(slotChanges) as [CredentialSlot, CredentialValue | undefined][]) {
      if (value) slots[slot] = value;
      else delete slots[slot];
    }
    if (Object.keys(slots).length > 0) result[kind] = slots;
    else delete result[kind];
  }
  return result;
}
