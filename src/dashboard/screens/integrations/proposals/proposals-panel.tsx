import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { pathOf } from '../../../api/manage';
import { useSession } from '../../../api/session';
import { Panel } from '../../../parts/panel';
import { ShortId } from '../../../parts/short-id';
import { StateBadge } from '../../../parts/state-badge';
import { TimeText } from '../../../parts/time-text';
import { featureNames, featureTitles, type Partner } from '../integration';
import styles from '../integrations.module.css';
import { idOf, nameOf } from '../partner-names';
import { idWords, kindWords, otherKind, useOwnPartner, type Proposed } from './proposal';
import { ProposalActions } from './proposal-actions';
import { TakeProposals } from './take-proposals';

interface ProposalContext {
  readonly hostApps: readonly Partner[];
  readonly miniapps: readonly Partner[];
}

/** Proposals; those that wait for the own answer come first. */
export function ProposalsPanel({ proposals, ...context }: ProposalContext & { readonly proposals: readonly Proposed[] }) {
  const own = useOwnPartner();
  const { role } = useSession();
  if (!own && proposals.length === 0) return null;
  const isIncoming = ({ proposal: { by } }: Proposed): boolean => by !== role;
  const sorted = [...proposals].sort((a, b) => rank(a, isIncoming(a)) - rank(b, isIncoming(b)) || (a.proposal.at < b.proposal.at ? 1 : -1));
  return (
    <Panel
      title="Proposals"
      lead={own ? <OwnId {...own} /> : 'What partners propose to each other, and what waits for an answer.'}
      actions={own && <TakeProposals kind={own.kind} partner={ownRecord(context, own)} />}
      flush={sorted.length > 0}
    >
      {sorted.length === 0 ? (
        <Text size="sm" c="dimmed">
          None waits for an answer.
        </Text>
      ) : (
        sorted.map((one) => <ProposalRow key={one.id} integration={one} {...context} />)
      )}
    </Panel>
  );
}

/** Proposals to answer, then own ones, then declined ones. */
const rank = ({ proposal: { declined_at } }: Proposed, isIncoming: boolean): number =>
  declined_at === undefined ? (isIncoming ? 0 : 1) : 2;

const ownRecord = (
  { hostApps, miniapps }: ProposalContext,
  { kind, id }: { readonly kind: string; readonly id: string },
): Partner | undefined =>
  kind === 'host-app' ? hostApps.find(({ client_id }) => client_id === id) : miniapps.find(({ app_id }) => app_id === id);

function OwnId({ kind, id }: NonNullable<ReturnType<typeof useOwnPartner>>) {
  return (
    <Group gap={4} component="span">
      Who shall propose to you needs your {idWords[kind]}:
      <ShortId id={id} what={idWords[kind]} ends={24} />
    </Group>
  );
}

function ProposalRow({ integration, ...context }: ProposalContext & { readonly integration: Proposed }) {
  const { proposal, client_id, app_id, features } = integration;
  const on = featureNames.filter((name) => features[name] === true).map((name) => featureTitles[name]);
  return (
    <article className={styles.proposal} aria-label={`Proposal of ${client_id} and ${app_id}`}>
      <Stack gap={4} miw={0}>
        <Group gap={8}>
          <Anchor component={Link} to={`/integrations${pathOf(client_id, app_id)}`} size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            <Sentence integration={integration} {...context} />
          </Anchor>
          <ProposalState integration={integration} />
        </Group>
        {proposal.note !== undefined && (
          <Text size="sm" className={styles.note}>
            {proposal.note}
          </Text>
        )}
        <Text size="xs" c="dimmed" component="div">
          {on.length > 0 ? on.join(', ') : 'No feature switched on'} · <TimeText at={proposal.at} as="distance" />
        </Text>
      </Stack>
      <ProposalActions integration={integration} />
    </article>
  );
}

/** Describes a proposal's two sides from the viewer's point of view. */
function Sentence({ integration, ...context }: ProposalContext & { readonly integration: Proposed }) {
  const own = useOwnPartner();
  const { by } = integration.proposal;
  const [proposer, other] = [nameOf(integration, by, context), nameOf(integration, otherKind[by], context)];
  if (own?.kind === by) return `To the ${kindWords[otherKind[by]]} ${idOf(integration, otherKind[by])}`;
  return own ? `${proposer} proposes an integration` : `${proposer} proposes to ${other}`;
}

/** The next step of a proposal. */
export function ProposalState({ integration: { proposal } }: { readonly integration: Proposed }) {
  const { role } = useSession();
  if (proposal.declined_at !== undefined) return <StateBadge tone="quiet">declined</StateBadge>;
  const waitsForYou = role === otherKind[proposal.by];
  return (
    <StateBadge tone={waitsForYou ? 'warn' : 'wait'}>
      {waitsForYou ? 'waits for you' : `waits for the ${kindWords[otherKind[proposal.by]]}`}
    </StateBadge>
  );
}
