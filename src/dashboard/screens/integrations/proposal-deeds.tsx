import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { manage, pathOf } from '../../api/manage';
import { useSession } from '../../api/session';
import { useDeed } from '../../api/use-deed';
import { ConfirmDeed } from '../../parts/confirm-deed';
import { useRangeSearch } from '../../parts/range/use-range';
import { otherKind, kindWords, type Proposed } from './proposal';

/** The actions on a proposal, and their outcomes. */
const deeds = {
  accept: {
    word: 'Accept',
    done: 'The integration is accepted',
    method: 'POST',
    below: '/accept',
    look: 'filled',
    what: 'From now on calls between the two are served, in test. The operator lets it go live.',
  },
  decline: {
    word: 'Decline',
    done: 'The proposal is declined',
    method: 'POST',
    below: '/decline',
    look: 'default',
    what: 'The other side sees that you declined, and cannot propose it again. You can still accept later.',
  },
  withdraw: {
    word: 'Withdraw',
    done: 'The proposal is withdrawn',
    method: 'DELETE',
    below: '',
    look: 'default',
    what: 'The proposal is gone, for both sides.',
  },
} as const;
type Deed = keyof typeof deeds;

/** Of the one that proposed to withdraw, of the other side to answer, of the operator all of it. */
function useDeeds({ proposal: { by, declined_at } }: Proposed): readonly Deed[] {
  const { role, viewAs } = useSession();
  if (viewAs) return [];
  const answers = declined_at === undefined ? (['accept', 'decline'] as const) : (['accept'] as const);
  if (role === 'operator') return [...answers, 'withdraw'];
  if (role === otherKind[by]) return answers;
  return declined_at === undefined ? ['withdraw'] : [];
}

interface ProposalDeedsProps {
  readonly integration: Proposed;
  readonly size?: 'sm' | 'compact-sm';
}

/** The buttons of a proposal, for whoever looks at it. */
export function ProposalDeeds({ integration, size = 'compact-sm' }: ProposalDeedsProps) {
  const shown = useDeeds(integration);
  if (shown.length === 0) return null;
  return (
    <Group gap={6}>
      {shown.map((deed) => (
        <DeedButton key={deed} deed={deed} integration={integration} size={size} />
      ))}
    </Group>
  );
}

function DeedButton({ deed, integration, size }: Required<ProposalDeedsProps> & { readonly deed: Deed }) {
  const [isAsked, setAsked] = useState(false);
  const { client_id, app_id, version, proposal } = integration;
  const { word, done, what, method, below, look } = deeds[deed];
  // The answer is for the version shown here: after a change it is refused.
  const headers: Record<string, string> = method === 'POST' ? { 'If-Match': `"${String(version)}"` } : {};
  const [navigate, range] = [useNavigate(), useRangeSearch()];
  const send = async (): Promise<void> => {
    await manage(method, `/integrations${pathOf(client_id, app_id)}/proposal${below}`, { headers });
    // A removed proposal has no page any more.
    if (deed === 'withdraw') await navigate(`/integrations${range}`);
  };
  const act = useDeed(send, {
    ...{ touches: ['/integrations', '/host-apps', '/miniapps'], done, tells: false },
  });
  return (
    <>
      <Button size={size} variant={look} aria-label={`${word} ${client_id} and ${app_id}`} onClick={() => setAsked(true)}>
        {word}
      </Button>
      <ConfirmDeed
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={`${word} the ${kindWords[proposal.by]}'s proposal?`}
        deed={word}
        onConfirm={() => act.mutateAsync()}
      >
        {what}
      </ConfirmDeed>
    </>
  );
}
