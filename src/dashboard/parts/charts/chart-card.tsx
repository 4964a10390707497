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
  /** Unit of the values: "requests a minute", "ms". */
  readonly unit: string;
  /** The chart's data as text and numbers. */
  readonly table: ChartTable;
  readonly isLoading?: boolean;
  readonly error?: unknown;
  readonly onRetry?: () => void;
  /** A sentence that replaces an empty chart. */
  readonly empty?: string;
  /** Reserved pixels, so that the content below does not move when the chart loads; 248 by default, for a plot and its legend. */
  readonly height?: number;
  /** Controls beside the title, such as switches and a legend. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A chart with its title, its unit and its data as a table, which also serves screen readers. */
export function ChartCard(props: ChartCardProps) {
  const { title, unit, actions } = props;
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
      actions={
        <Group gap="xs">
          {actions}
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
