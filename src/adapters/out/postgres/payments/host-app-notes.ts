import type { PollClaim, PollEnd } from '../../../../domain/payments/status-poll-repository';

/** Results of the polls of one host app. */
interface HostAppNote {
  /** The host app's trouble count when the polls began; polls that began with an older count are ignored. */
  troubles: number;
  answers: number;
  maxPace: number;
  isReached: boolean;
  isFailing: boolean;
  isAway: boolean;
  backoffMs: number;
}

/** The parameters of `noteHostApps`, one row per host app; `undefined` when there is nothing to record. */
export function hostAppNotes(
  ended: readonly { readonly claim: PollClaim; readonly end: PollEnd }[],
): readonly (readonly unknown[])[] | undefined {
  const notes = new Map<string, HostAppNote>();
  for (const { claim, end } of ended) {
    if (changesNothing(claim, end)) continue;
    const known = notes.get(claim.clientId);
    if (!known || known.troubles < claim.turn.troubles) notes.set(claim.clientId, noteOf(claim, end));
    else if (known.troubles === claim.turn.troubles) addTo(known, noteOf(claim, end));
  }
  if (notes.size === 0) return undefined;
  const all = [...notes.values()];
  return [
    [...notes.keys()],
    ...[all.map((note) => note.troubles), all.map((note) => note.answers), all.map((note) => note.maxPace)],
    ...[all.map((note) => note.isReached), all.map((note) => note.isFailing), all.map((note) => note.isAway)],
    all.map((note) => note.backoffMs),
  ];
}

/** Whether a poll leaves the host app's row unchanged, as most do: then no statement is needed. */
const changesNothing = ({ turn }: PollClaim, { polledAt, trouble, isWell }: PollEnd): boolean =>
  !trouble && (polledAt === undefined || (turn.failures === 0 && !(isWell && turn.isFull)));

const noteOf = ({ turn }: PollClaim, { polledAt, trouble, isWell }: PollEnd): HostAppNote => ({
  troubles: turn.troubles,
  answers: isWell && turn.isFull ? 1 : 0,
  maxPace: turn.maxPace,
  isReached: !trouble && polledAt !== undefined,
  isFailing: trouble !== undefined,
  isAway: trouble?.isAway ?? false,
  backoffMs: trouble?.backoffMs ?? 0,
});

function addTo(note: HostAppNote, other: HostAppNote): void {
  note.answers += other.answers;
  note.isReached ||= other.isReached;
  note.isFailing ||= other.isFailing;
  note.isAway ||= other.isAway;
  note.backoffMs = Math.max(note.backoffMs, other.backoffMs);
}
