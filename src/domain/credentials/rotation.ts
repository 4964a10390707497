import type { CredentialChanges } from '../partners/ports';
import {
  isInGrace,
  type CredentialKind,
  type Credentials,
  type CredentialSlot,
  type CredentialSlots,
  type CredentialValue,
} from './credential';

/** The changes of one kind: new values by slot; `undefined` removes a value. */
export type SlotChanges = NonNullable<CredentialChanges[CredentialKind]>;

/** Default number of seconds for which a replaced value stays accepted. */
export const defaultGraceS = 86_400;

/** When a value is replaced (milliseconds since the epoch), and for how many seconds it stays accepted after that (0: not at all). */
export interface Replacement {
  readonly now: number;
  readonly previousValidForS: number;
}

/**
 * The changes of a rotation: the new value is current, the one before it previous; an earlier previous value is removed, and so is one
 * that cannot be decrypted.
 */
export function rotated(slots: CredentialSlots | undefined, value: CredentialValue, { now, previousValidForS }: Replacement): SlotChanges {
  const before = slots?.current;
  if (!before || before.isUnreadable || previousValidForS === 0) return { current: value, previous: undefined };
  return { current: value, previous: { ...before, validUntil: now + previousValidForS * 1000 } };
}

/** The changes of promoting the next value; `undefined` when there is none that can be decrypted. */
export function promoted(slots: CredentialSlots | undefined, replacement: Replacement): SlotChanges | undefined {
  if (!slots?.next || slots.next.isUnreadable) return undefined;
  return { ...rotated(slots, slots.next, replacement), next: undefined };
}

/** The previous value whose grace period the changes end early; `undefined` when there is none. */
export function cutShort(slots: CredentialSlots | undefined, changes: SlotChanges, now: number): CredentialValue | undefined {
  const before = slots?.previous;
  return before && 'previous' in changes && isInGrace(before, now) ? before : undefined;
}

/**
 * Why a value cannot be added to the stored ones; `undefined` when it can. Refuses a repeated rotation, which would end the grace period
 * of the value that partners still use.
 */
export function repeatProblem(slots: CredentialSlots | undefined, { fingerprint }: CredentialValue): string | undefined {
  if (slots?.current?.fingerprint === fingerprint) return 'is the current value already';
  return slots?.next?.fingerprint === fingerprint ? 'is the next value already: promote it' : undefined;
}

/** The changes that remove every value of a kind. */
export const withdrawn: SlotChanges = { current: undefined, previous: undefined, next: undefined };

/** Applies the changes to the credentials. */
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
