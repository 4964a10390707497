import type { CredentialChanges } from '../partners/ports';
import {
  isInGrace,
  type CredentialKind,
  type Credentials,
  type CredentialSlot,
  type CredentialSlots,
  type CredentialValue,
} from './credential';

/** The changes of one kind: new values by slot; `undefined` removes. */
export type SlotChanges = NonNullable<CredentialChanges[CredentialKind]>;

/** Seconds for which a replaced value stays accepted, unless somebody says otherwise. */
export const defaultGraceS = 86_400;

/** When a value is replaced (milliseconds since the epoch), and for how many seconds it stays accepted after that (0: not at all). */
export interface Replacement {
  readonly now: number;
  readonly previousValidForS: number;
}

/** What a rotation writes: the new value is current, the one before it previous, replacing any earlier one. */
export function rotated(slots: CredentialSlots | undefined, value: CredentialValue, { now, previousValidForS }: Replacement): SlotChanges {
  const before = slots?.current;
  if (!before || previousValidForS === 0) return { current: value, previous: undefined };
  return { current: value, previous: { ...before, validUntil: now + previousValidForS * 1000 } };
}

/** What taking up the waiting value writes; `undefined`: none waits. */
export function promoted(slots: CredentialSlots | undefined, replacement: Replacement): SlotChanges | undefined {
  return slots?.next && { ...rotated(slots, slots.next, replacement), next: undefined };
}

/** The value whose grace time the changes end before its time; `undefined`: none. */
export function cutShort(slots: CredentialSlots | undefined, changes: SlotChanges, now: number): CredentialValue | undefined {
  const before = slots?.previous;
  return before && 'previous' in changes && isInGrace(before, now) ? before : undefined;
}

/**
 * Why a value cannot be put beside the present ones; `undefined`: it can. A rotation that is sent twice would push the value
 * that partners still use out of its grace time.
 */
export function repeatProblem(slots: CredentialSlots | undefined, { fingerprint }: CredentialValue): string | undefined {
  if (slots?.current?.fingerprint === fingerprint) return 'is the current value already';
  return slots?.next?.fingerprint === fingerprint ? 'is the next value already: promote it' : undefined;
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
