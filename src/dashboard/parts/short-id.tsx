import { Group, Text } from '@mantine/core';
import { CopyButton } from './copy-button';

interface ShortIdProps {
  readonly id: string;
  /** The kind of id, such as "request id". */
  readonly what: string;
  /** Characters shown at each end of a long id; 6 by default. */
  readonly ends?: number;
  /** False hides the copy button. */
  readonly copies?: boolean;
}

/** An id in monospace, shortened in the middle, with a button that copies all of it. */
export function ShortId({ id, what, ends = 6, copies = true }: ShortIdProps) {
  const short = id.length <= 2 * ends + 3 ? id : `${id.slice(0, ends)}…${id.slice(-ends)}`;
  return (
    <Group gap={2} wrap="nowrap" component="span" display="inline-flex">
      <Text component="span" ff="monospace" fz="0.92em" title={id} style={{ whiteSpace: 'nowrap' }}>
        {short}
      </Text>
      {copies && <CopyButton text={id} what={what} />}
    </Group>
  );
}
