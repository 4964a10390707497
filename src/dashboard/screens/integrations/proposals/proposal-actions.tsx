import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { manage, pathOf } from '../../../api/manage';
import { useSession } from '../../../api/session';
import { useAction } from '../../../api/use-action';
import { ConfirmAction } from '../../../parts/confirm-action';
import { useRangeSearch } from '../../../parts/range/use-range';
import { otherKind, kindWords, type Proposed } from './proposal';

/** The actions on a proposal, with their labels and results. */
const actions = {
  accept: {
    word: 'Accept',
    done: 'The integration is accepted',
    method: 'POST',
    below: '/accept',
    variant: 'filled',
    what: 'From now on calls between the two are served, in test. The operator lets it go live.',
  },
  decline: {
    word: 'Decline',
    done: 'The proposal is declined',
    method: 'POST',
    below: '/decline',
    variant: 'default',
    what: 'The other side sees that you declined, and cannot propose it again. You can still accept later.',
  },
  withdraw: {
    word: 'Withdraw',
    done: 'The proposal is withdrawn',
    method: 'DELETE',
    below: '',
    variant: 'default',
    what: 'The proposal is gone, for both sides.',
  },
} as const;
type Action = keyof typeof actions;

/** The proposer may withdraw, the other side may answer, and the operator may do both. */
function useActions({ proposal: { by, declined_at } }: Proposed): readonly Action[] {
  const { role, viewAs } = useSession();
  if (viewAs) return [];
  const answers = declined_at === undefined ? (['accept', 'decline'] as const) : (['accept'] as const);
  if (role === 'operator') return [...answers, 'withdraw'];
  if (role === otherKind[by]) return answers;
  return declined_at === undefined ? ['withdraw'] : [];
}

interface ProposalActionsProps {
  readonly integration: Proposed;
  readonly size?: 'sm' | 'compact-sm';
}

/** The buttons of a proposal that the viewer may use. */
export function ProposalActions({ integration, size = 'compact-sm' }: ProposalActionsProps) {
  const shown = useActions(integration);
  if (shown.length === 0) return null;
  return (
    <Group gap={6}>
      {shown.map((action) => (
        <ActionButton key={action} action={action} integration={integration} size={size} />
      ))}
    </Group>
  );
}

function ActionButton({ action, integration, size }: Required<ProposalActionsProps> & { readonly action: Action }) {
  const [isConfirming, setConfirming] = useState(false);
  const { client_id, app_id, version, proposal } = integration;
  const { word, done, what, method, below, variant } = actions[action];
  // The answer applies to the version shown here; after a change the service refuses it.
  const headers: Record<string, string> = method === 'POST' ? { 'If-Match': `"${String(version)}"` } : {};
  const [navigate, range] = [useNavigate(), useRangeSearch()];
  const send = async (): Promise<void> => {
    await manage(method, `/integrations${pathOf(client_id, app_id)}/proposal${below}`, { headers });
    // A withdrawn proposal has no page, so this leaves it.
    if (action === 'withdraw') await navigate(`/integrations${range}`);
  };
  const act = useAction(send, {
    ...{ touches: ['/integrations', '/host-apps', '/miniapps'], done, showsErrors: false },
  });
  return (
    <>
      <Button size={size} variant={variant} aria-label={`${word} ${client_id} and ${app_id}`} onClick={() => setConfirming(true)}>
        {word}
      </Button>
      <ConfirmAction
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={`${word} the ${kindWords[proposal.by]}'s proposal?`}
        action={word}
        onConfirm={() => act.mutateAsync()}
      >
        {what}
      </ConfirmAction>
    </>
  );
}
