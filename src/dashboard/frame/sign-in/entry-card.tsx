import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { BrandMark } from '../brand-mark';

/** The centred card of pages outside the sign-in. */
export function EntryCard({ title, lead, children }: { readonly title: string; readonly lead?: ReactNode; readonly children: ReactNode }) {
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={400} radius="lg">
        <Stack gap="lg">
          <BrandMark />
          <div>
            <Title order={1} fz="h2">
              {title}
            </Title>
            {lead !== undefined && (
              <Text c="dimmed" size="sm" mt={4}>
                {lead}
              </Text>
            )}
          </div>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
