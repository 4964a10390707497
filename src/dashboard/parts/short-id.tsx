import { Group, Text } from '@mantine/core';
import { CopyButton } from './copy-button';

interface ShortIdProps {
  readonly id: string;
  /** What it is: "request id". */
  readonly what: string;
  /** How many characters of a long one are shown at each end; 6. */
  readonly ends?: number;
  /** False: no button beside it. */
  readonly copies?: boolean;
}

/** An id in fixed width, its middle left out where it is long, with a button that copies it whole. */
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
