import { Text } from '@mantine/core';
import type { Explanation } from './workbench';
import styles from './workbench.module.css';

interface TextDifferenceProps {
  readonly difference: NonNullable<Explanation['difference']>;
  readonly at: number | undefined;
}

/** The first difference between the signed text and the agreed one, shown one above the other. */
export function TextDifference({ difference, at }: TextDifferenceProps) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        They part at byte {at}
      </Text>
      <div className={styles.difference} tabIndex={0} role="region" aria-label="Difference">
        <Line name="Agreed" tone="agreed" excerpt={difference.expected} />
        <Line name="Signed" tone="signed" excerpt={difference.signed} />
      </div>
    </div>
  );
}

interface LineProps {
  readonly name: string;
  readonly tone: 'agreed' | 'signed';
  readonly excerpt: TextDifferenceProps['difference']['expected'];
}

function Line({ name, tone, excerpt: { text, column } }: LineProps) {
  const characters = [...text];
  return (
    <div className={styles.line}>
      <span className={styles.name}>{name}</span>
      <span>
        {characters.slice(0, column).join('')}
        <mark className={styles[tone]}>{characters.slice(column).join('')}</mark>
      </span>
    </div>
  );
}
