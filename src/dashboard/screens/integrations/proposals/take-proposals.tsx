import { Switch } from '@mantine/core';
import { manage, pathOf } from '../../../api/manage';
import { useAction } from '../../../api/use-action';
import type { Partner, PartnerKind } from '../integration';

interface TakeProposalsProps {
  readonly kind: PartnerKind;
  /** Absent until it is loaded. */
  readonly partner: Partner | undefined;
}

/** Whether other partners may propose integrations to the own app. */
export function TakeProposals({ kind, partner }: TakeProposalsProps) {
  const path = `/${kind === 'host-app' ? 'host-apps' : 'miniapps'}${pathOf((kind === 'host-app' ? partner?.client_id : partner?.app_id) ?? '')}`;
  const change = useAction((takes_proposals: boolean) => manage('PATCH', path, { body: { takes_proposals } }), {
    touches: ['/host-apps', '/miniapps'],
    done: (_answer, takes) => (takes ? 'Others may propose to you' : 'Nobody can propose to you'),
  });
  if (!partner) return null;
  return (
    <Switch
      label="Take proposals"
      checked={change.isPending ? change.variables : partner['takes_proposals'] === true}
      aria-busy={change.isPending}
      // Not disabled while pending: that would take the focus away from keyboard users.
      onChange={({ currentTarget }) => !change.isPending && change.mutate(currentTarget.checked)}
    />
  );
}
