import { Box, Group, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconClock, IconMinus, IconX } from '@tabler/icons-react';
import { TimeText } from '../../parts/time-text';
import { noticeOf, stateOf, type PaymentDetail } from './payment-model';
import styles from './payment-line.module.css';

type Mark = 'done' | 'waits' | 'failed' | 'none';

interface Stage {
  readonly title: string;
  readonly mark: Mark;
  readonly words: string;
  readonly at?: string | undefined;
}

const markStyles = { done: ['teal', IconCheck], waits: ['blue', IconClock], failed: ['red', IconX], none: ['gray', IconMinus] } as const;

/** The four stages of a payment, each with its time. */
export function PaymentLine({ payment }: { readonly payment: PaymentDetail }) {
  return (
    <ol className={styles.line} aria-label="State line">
      {stagesOf(payment).map(({ title, mark, words, at }) => {
        const [color, Icon] = markStyles[mark];
        return (
          <Box component="li" key={title} className={styles.stage ?? ''} data-mark={mark}>
            <ThemeIcon color={color} variant={mark === 'none' ? 'light' : 'filled'} radius="xl" size={26} aria-hidden>
              <Icon size={15} />
            </ThemeIcon>
            <div>
              <Text size="sm" fw={600}>
                {title}
              </Text>
              <Group gap={6}>
                <Text size="sm" c="dimmed">
                  {words}
                </Text>
                {at !== undefined && (
                  <Text size="sm" c="dimmed" component="span">
                    <TimeText at={at} />
                  </Text>
                )}
              </Group>
            </div>
          </Box>
        );
      })}
    </ol>
  );
}

function stagesOf(payment: PaymentDetail): readonly Stage[] {
  const { creation, status, settled_at: settled, created_at: created } = payment;
  const isOpened = creation === 'opened';
  const isFinal = status !== 'in_process';
  const opening: Mark = isOpened ? 'done' : creation === 'begun' ? 'waits' : 'failed';
  const notice = noticeOf(payment);
  const noticed: Mark = notice === undefined ? 'none' : notice[0] === 'good' ? 'done' : notice[0] === 'bad' ? 'failed' : 'waits';
  return [
    { title: 'Created', mark: 'done', words: 'by the miniapp', at: created },
    { title: 'Host app', mark: opening, words: isOpened ? 'accepted' : stateOf(payment)[1] },
    {
      title: 'Result',
      mark: isFinal ? 'done' : isOpened ? 'waits' : 'none',
      words: isFinal ? status : isOpened ? 'in process' : 'none',
      at: settled,
    },
    { title: 'Notice', mark: noticed, words: notice?.[1] ?? 'not due yet' },
  ];
}
