import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { DetailList } from '../../parts/detail-list';
import { Panel } from '../../parts/panel';
import { filteredPath } from '../../parts/records/filters';
import { ShortId } from '../../parts/short-id';
import { StateBadge } from '../../parts/state-badge';
import { CheckMarks } from './check-marks';
import { queueTitles, marksOf, msWords, type ExchangeDetail, type TimelineAnswer } from './request-model';

/** The facts about one call. */
export function CallDetails({ call }: { readonly call: ExchangeDetail }) {
  const { client_id, app_id, error_code } = call;
  return (
    <Panel title="The call">
      <DetailList
        items={[
          ['Status', <StatusBadge key="status" status={call.status} />],
          [
            'Error code',
            error_code && (
              <Anchor key="code" component={Link} to={filteredPath('/requests', { error_code })} size="sm" ff="monospace">
                {error_code}
              </Anchor>
            ),
          ],
          ['Came from', call.from === 'platform' ? 'Pierhead itself' : queueTitles[call.from]],
          ['Host app', client_id && <ShortId key="client" id={client_id} what="client id" ends={10} />],
          ['Miniapp', app_id && <ShortId key="app" id={app_id} what="app id" ends={10} />],
          [
            'User',
            call.reference && (
              <Text key="user" component="span" size="sm" ff="monospace">
                {call.reference}
              </Text>
            ),
          ],
          ['Checks', <CheckMarks key="checks" marks={marksOf(call)} />],
          ['Took', msWords(call.ms)],
        ]}
      />
    </Panel>
  );
}

/** A status with a tone; the number also works without the colour. */
export function StatusBadge({ status }: { readonly status: number }) {
  return <StateBadge tone={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>{String(status)}</StateBadge>;
}

/** The payment and the delivery of a call. */
export function RelatedDetails({ timeline: { payment, delivery } }: { readonly timeline: TimelineAnswer }) {
  if (!payment && !delivery) return null;
  return (
    <Panel title="Belongs to">
      <DetailList
        items={[
          ['Payment', payment && <LinkedState key="payment" to={`/payments/${payment.id}`} state={payment.status} />],
          ['Delivery', delivery && <LinkedState key="delivery" to={`/deliveries/${delivery.id}`} state={delivery.state} />],
        ]}
      />
    </Panel>
  );
}

const tones = {
  paid: 'good',
  delivered: 'good',
  in_process: 'wait',
  ready: 'wait',
  parked: 'warn',
  cancelled: 'quiet',
  failed: 'bad',
} as const;

function LinkedState({ to, state }: { readonly to: string; readonly state: string }) {
  const tone = Object.hasOwn(tones, state) ? tones[state as keyof typeof tones] : 'quiet';
  return (
    <Anchor component={Link} to={to} underline="never">
      <StateBadge tone={tone}>{state.replace('_', ' ')}</StateBadge>
    </Anchor>
  );
}
