import { Button, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from './empty-state';
import { PageHead } from './page-head';
import { PartnerPicker } from './partner-picker';
import { ProblemAlert } from './problem-alert';
import { usePartnerChoice, type PartnerRef } from './use-partner-choice';

interface PartnerScreenProps {
  readonly title: string;
  readonly lead: ReactNode;
  /** More buttons in the header. */
  readonly actions?: (partner: PartnerRef) => ReactNode;
  readonly children: (partner: PartnerRef) => ReactNode;
}

/** A screen about one partner; the header selects the partner. The content is remounted for another partner. */
export function PartnerScreen({ title, lead, actions, children }: PartnerScreenProps) {
  const choice = usePartnerChoice();
  const { partner } = choice;
  return (
    <>
      <PageHead
        title={title}
        lead={lead}
        actions={
          partner && (
            <>
              <PartnerPicker choice={choice} />
              {actions?.(partner)}
            </>
          )
        }
      />
      {choice.error && <ProblemAlert error={choice.error} />}
      {choice.isLoading && <Waiting />}
      {!choice.isLoading && !choice.error && !partner && <NoPartner />}
      {partner && <div key={`${partner.kind}:${partner.id}`}>{children(partner)}</div>}
    </>
  );
}

/** Placeholder for panels that are loading. */
export function Waiting() {
  return (
    <Stack gap="md" role="status" aria-busy="true" aria-label="Loading">
      <Skeleton height={120} radius="md" />
      <Skeleton height={220} radius="md" />
    </Stack>
  );
}

function NoPartner() {
  return (
    <EmptyState
      title="No partner yet"
      actions={
        <Button component={Link} to="/integrations">
          Create a host app or a miniapp
        </Button>
      }
    >
      Credentials, keys and allowlists belong to a host app or a miniapp. Create one first.
    </EmptyState>
  );
}
