import { Switch } from '@mantine/core';
import { manage, pathOf } from '../../api/manage';
import { useDeed } from '../../api/use-deed';
import type { Partner, PartnerKind } from './integration';

interface TakeProposalsProps {
  readonly kind: PartnerKind;
  /** Absent: not known yet. */
  readonly partner: Partner | undefined;
}

/** Whether others may propose to one's own app. */
export function TakeProposals({ kind, partner }: TakeProposalsProps) {
  const path = `/${kind === 'host-app' ? 'host-apps' : 'miniapps'}${pathOf((kind === 'host-app' ? partner?.client_id : partner?.app_id) ?? '')}`;
  const change = useDeed((takes_proposals: boolean) => manage('PATCH', path, { body: { takes_proposals } }), {
    touches: ['/host-apps', '/miniapps'],
    done: (_answer, takes) => (takes ? 'Others may propose to you' : 'Nobody can propose to you'),
  });
  if (!partner) return null;
  return (
    <Switch
      label="Take proposals"
      checked={change.isPending ? change.variables : partner['takes_proposals'] === true}
      aria-busy={change.isPending}
      // Not disabled meanwhile: that would take the focus away from whoever uses the keyboard.
      onChange={({ currentTarget }) => !change.isPending && change.mutate(currentTarget.checked)}
    />
  );
}
