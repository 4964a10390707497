import { Button, CopyButton, Grid, Stack } from '@mantine/core';
import { IconCheck, IconTerminal2 } from '@tabler/icons-react';
import { useParams } from 'react-router';
import { pathOf } from '../../api/manage';
import { useRecord } from '../../api/use-record';
import { ScreenSkeleton } from '../../parts/screen-skeleton';
import { PageHead } from '../../parts/page-head';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { ShortId } from '../../parts/short-id';
import { TimeText } from '../../parts/time-text';
import { EvidenceLinkRepository, ShareEvidence } from './evidence-panel';
import { ExplainPanel } from './explain-panel';
import { RawPanel } from './raw-panel';
import { callTitle, type ExchangeDetail, type TimelineAnswer } from './request-model';
import { CallDetails, RelatedDetails } from './request-details';
import { ResendButton } from './resend-button';
import { SwimLane } from './swim-lane';
import { TimeSplit } from './time-split';
import { VerdictBanner } from './verdict-banner';

/** A call with everything related to it; or a payment or a delivery in the same form. */
export default function RequestScreen() {
  const { kind = 'exchange', id = '' } = useParams();
  const isCall = kind === 'exchange';
  const timeline = useRecord<TimelineAnswer>(pathOf('timelines', kind, id), { live: 'exchanges' });
  const call = useRecord<ExchangeDetail>(pathOf('exchanges', id), { enabled: isCall });
  const error = timeline.error ?? call.error;
  if (error) return <ProblemAlert error={error} onRetry={() => void timeline.refetch()} />;
  if (!timeline.data || (isCall && !call.data)) return <ScreenSkeleton />;
  return <Shown timeline={timeline.data} call={isCall ? call.data : undefined} />;
}

interface ShownProps {
  readonly timeline: TimelineAnswer;
  /** Absent when the screen shows a payment or a delivery. */
  readonly call: ExchangeDetail | undefined;
}

function Shown({ timeline, call }: ShownProps) {
  const title = call ? callTitle(call.call) : timeline.kind === 'payment' ? 'Timeline of a payment' : 'Timeline of a delivery';
  return (
    <>
      <PageHead
        title={title}
        back={{ to: '/requests', title: 'Requests' }}
        lead={call ? <CallLead call={call} /> : <ShortId id={timeline.id} what={`${timeline.kind} id`} ends={10} />}
        actions={<Actions timeline={timeline} call={call} />}
      />
      <Stack gap="md">
        <VerdictBanner verdict={timeline.verdict} />
        {call && <ExplainPanel exchange={call} />}
        <Grid gap="md">
          <Grid.Col span={{ base: 12, lg: 8 }}>
            <Panel title="What happened" lead="Each line is one call or attempt; open it for its details." flush>
              <SwimLane steps={timeline.steps} />
            </Panel>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <Stack gap="md">
              {call && <CallDetails call={call} />}
              <Panel title="Where the time went">
                <TimeSplit split={timeline.split_ms} />
              </Panel>
              <RelatedDetails timeline={timeline} />
              {call && <EvidenceLinkRepository exchangeId={call.id} />}
              {call && <RawPanel exchange={call} />}
            </Stack>
          </Grid.Col>
        </Grid>
      </Stack>
    </>
  );
}

function CallLead({ call }: { readonly call: ExchangeDetail }) {
  return (
    <>
      <TimeText at={call.at} as="precise" /> · <ShortId id={call.request_id} what="request id" ends={10} />
    </>
  );
}

function Actions({ timeline, call }: ShownProps) {
  return (
    <>
      {timeline.delivery && <ResendButton delivery={timeline.delivery} />}
      {call?.curl !== undefined && (
        <CopyButton value={call.curl} timeout={1500}>
          {({ copied, copy }) => (
            <Button variant="default" leftSection={copied ? <IconCheck size={16} /> : <IconTerminal2 size={16} />} onClick={copy}>
              {copied ? 'Copied' : 'Copy as curl'}
            </Button>
          )}
        </CopyButton>
      )}
      {call && <ShareEvidence exchangeId={call.id} />}
    </>
  );
}
