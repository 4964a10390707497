import { Group, Paper, SimpleGrid, Text, ThemeIcon, UnstyledButton } from '@mantine/core';
import { StateBadge } from '../../parts/state-badge';
import { methods, type Method, type MethodInfo } from './methods';
import styles from './credentials.module.css';

interface MethodCardsProps {
  readonly inForce: Method;
  readonly onChoose: (method: Method) => void;
}

/** The four methods to choose from. */
export function MethodCards({ inForce, onChoose }: MethodCardsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
      {methods.map((one) => (
        <MethodCard key={one.method} method={one} isInForce={one.method === inForce} onChoose={() => onChoose(one.method)} />
      ))}
    </SimpleGrid>
  );
}

function MethodCard({
  method,
  isInForce,
  onChoose,
}: {
  readonly method: MethodInfo;
  readonly isInForce: boolean;
  readonly onChoose: () => void;
}) {
  const { icon: Mark, title, text } = method;
  return (
    <UnstyledButton onClick={onChoose} className={styles.card}>
      <Paper withBorder radius="md" p="sm" h="100%" className={styles.cardFace}>
        <Group justify="space-between" mb={6} wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <ThemeIcon variant="light" size="md" aria-hidden>
              <Mark size={18} stroke={1.7} />
            </ThemeIcon>
            <Text fw={600}>{title}</Text>
          </Group>
          {isInForce && <StateBadge tone="good">In force</StateBadge>}
        </Group>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </Paper>
    </UnstyledButton>
  );
}
