import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconMessageQuestion } from '@tabler/icons-react';
import { TimeText } from '../../../parts/time-text';
import { kindWords, otherKind, type Proposed } from './proposal';
import { ProposalActions } from './proposal-actions';
import styles from '../integrations.module.css';

/** Above an integration that is only proposed: its proposer, its note, and the actions. */
export function ProposalBanner({ integration }: { readonly integration: Proposed }) {
  const { by, note, at, declined_at } = integration.proposal;
  const decider = kindWords[otherKind[by]];
  const isDeclined = declined_at !== undefined;
  return (
    <Alert variant="light" color={isDeclined ? 'gray' : 'blue'} icon={<IconMessageQuestion />}>
      <Group justify="space-between" align="center" gap="sm">
        <Stack gap={6} flex="1 1 20rem" miw={0}>
          <Text size="sm" component="div">
            The {kindWords[by]} has proposed this integration <TimeText at={at} as="distance" />.{' '}
            {isDeclined ? (
              <>
                The {decider} has declined <TimeText at={declined_at} as="distance" />; it can still accept.
              </>
            ) : (
              `It waits for the ${decider} to answer; no call passes between the two before.`
            )}
          </Text>
          {note !== undefined && (
            <Text size="sm" className={styles.note}>
              {note}
            </Text>
          )}
        </Stack>
        <ProposalActions integration={integration} size="sm" />
      </Group>
    </Alert>
  );
}
