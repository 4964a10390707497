import './charts.css';
import { ActionIcon, Box, Center, Group, Skeleton, Text, Tooltip } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { Suspense, useState, type ReactNode } from 'react';
import { EmptyState } from '../empty-state';
import { Panel } from '../panel';
import { ProblemAlert } from '../problem-alert';
import { DataTable, type ChartTable } from './data-table';

interface ChartCardProps {
  readonly title: string;
  /** What the values are: "requests a minute", "ms". */
  readonly unit: string;
  /** The same as the chart, in words and numbers. */
  readonly table: ChartTable;
  readonly isLoading?: boolean;
  readonly error?: unknown;
  readonly onRetry?: () => void;
  /** Shown in place of the chart where nothing is to be drawn; a sentence. */
  readonly empty?: string;
  /** Pixels that the chart takes from the first, so that what stands below does not move under a hand; 248, a plot and its legend. */
  readonly height?: number;
  /** Beside the title: switches, a legend. */
  readonly deeds?: ReactNode;
  readonly children: ReactNode;
}

/** A chart with its title, its unit and its twin, a table; the table is what those have who do not see the chart. */
export function ChartCard(props: ChartCardProps) {
  const { title, unit, deeds } = props;
  const [isTable, setTable] = useState(false);
  const words = isTable ? 'Show as a chart' : 'Show as a table';
  return (
    <Panel
      title={title}
      lead={
        <Text size="xs" c="dimmed" component="span">
          {unit}
        </Text>
      }
      deeds={
        <Group gap="xs">
          {deeds}
          <Tooltip label={words} withArrow>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${title}: ${words.toLowerCase()}`}
              onClick={() => setTable((was) => !was)}
            >
              {isTable ? <IconChartBar size={18} /> : <IconTable size={18} />}
            </ActionIcon>
          </Tooltip>
        </Group>
      }
    >
      <CardBody {...props} isTable={isTable} />
    </Panel>
  );
}

function CardBody({
  title,
  table,
  isLoading = false,
  error,
  onRetry,
  empty,
  height = 248,
  children,
  isTable,
}: ChartCardProps & { readonly isTable: boolean }) {
  const waits = <Skeleton height={height} role="status" aria-label="Loading" />;
  if (error !== undefined && error !== null) return <ProblemAlert error={error} {...(onRetry && { onRetry })} />;
  if (isLoading) return waits;
  if (empty !== undefined) {
    return (
      <Center mih={height}>
        <EmptyState icon={IconChartBar} title={empty} />
      </Center>
    );
  }
  if (isTable) return <DataTable title={title} table={table} />;
  return (
    <Box mih={height} role="group" aria-label={`${title}, chart; the same is there as a table`}>
      <Suspense fallback={waits}>{children}</Suspense>
    </Box>
  );
}
