import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { DetailList } from '../../parts/detail-list';
import { ShortId } from '../../parts/short-id';
import { TimeText } from '../../parts/time-text';
import { CheckMarks } from './check-marks';
import { queueTitles, msWords, type Step } from './request-model';

const causes: Readonly<Record<string, string>> = {
  timeout: 'no answer in time',
  dns: 'the name in its URL has no address',
  connect: 'nobody takes connections at its URL',
  reset: 'the connection was broken off',
  tls: 'TLS failed, or the certificate is not valid',
  address: 'its URL leads to an address that may not be called',
  redirect: 'redirects are not followed',
};

/** The facts about a line. There are no headers or bodies, because they are not stored. */
export function StepDetails({ step }: { readonly step: Step }) {
  const { kind, from, to, at, ms, status, error_code, cause, attempt, after_unauthorized, checks, request_id, exchange_id, delivery_id } =
    step;
  return (
    <>
      <DetailList
        items={[
          ['From and to', `${queueTitles[from]} → ${queueTitles[to]}`],
          ['Time', <TimeText key="at" at={at} as="precise" />],
          ['Took', ms === undefined ? undefined : msWords(ms)],
          ['Status', status],
          ['Error code', error_code],
          ['Cause', cause === undefined ? undefined : (causes[cause] ?? cause)],
          ['Attempt', attempt > 1 ? `${String(attempt)}${after_unauthorized ? ', after a 401: the token was renewed' : ''}` : undefined],
          ['Checks', checks && <CheckMarks key="checks" marks={checks} />],
          ['Request id', request_id && <ShortId key="request" id={request_id} what="request id" ends={10} />],
          ['Call', exchange_id && <LinkTo key="call" to={`/requests/${exchange_id}`} id={exchange_id} />],
          ['Delivery', delivery_id && <LinkTo key="delivery" to={`/deliveries/${delivery_id}`} id={delivery_id} />],
        ]}
      />
      {kind !== 'planned' && (
        <Text size="xs" c="dimmed" mt="xs">
          Headers and bodies of calls are not kept: they hold what belongs to users and partners.
        </Text>
      )}
    </>
  );
}

function LinkTo({ to, id }: { readonly to: string; readonly id: string }) {
  return (
    <Anchor component={Link} to={to} ff="monospace" fz="0.92em">
      {id.length > 18 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id}
    </Anchor>
  );
}
