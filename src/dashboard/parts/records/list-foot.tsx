import { Button, Group, Text } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import type { Records } from '../../api/use-records';
import { plural } from '../plural';

/** The number of visible rows, and a button for more. */
export function ListFoot<Row>({ records }: { readonly records: Records<Row> }) {
  const { rows, hasMore, isFetching, loadMore } = records;
  if (rows.length === 0) return null;
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        {plural(rows.length, 'row')}
        {hasMore ? ', and more' : ''}
      </Text>
      {hasMore && (
        <Button variant="default" size="sm" onClick={loadMore} loading={isFetching}>
          Load more
        </Button>
      )}
    </Group>
  );
}

/** Announces newer rows; the list changes only on a click. */
export function NewRows({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  if (count === 0) return null;
  return (
    <Button variant="light" size="compact-sm" leftSection={<IconArrowUp size={14} />} onClick={onShow} style={{ alignSelf: 'center' }}>
      {count >= 50 ? '50 or more' : count} new
    </Button>
  );
}
