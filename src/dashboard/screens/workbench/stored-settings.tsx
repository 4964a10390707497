import { Alert, Skeleton, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useRecord } from '../../api/use-record';
import { CodeBlock } from '../../parts/code-block';
import { DetailList } from '../../parts/detail-list';
import type { PartnerRef } from '../../parts/use-partner-choice';
import type { Scheme } from './workbench';

/** The stored signature settings of a partner. */
export function StoredSettings({ partner }: { readonly partner: PartnerRef }) {
  const { data } = useRecord<{ readonly signature: Partial<Scheme> & { readonly enabled: boolean } }>(partner.path);
  if (!data) return <Skeleton height={240} />;
  const { signature } = data;
  return (
    <>
      {!signature.enabled && (
        <Alert color="yellow" variant="light" icon={<IconInfoCircle />}>
          Signing is off for {partner.name}: its calls are not checked by these settings.
        </Alert>
      )}
      <DetailList
        items={[
          ['Algorithm', signature.algorithm ?? 'Not set'],
          ['Hash', signature.hash],
          ['Encoding', signature.encoding],
          ['URL', signature.url_form],
          ['Timestamp', signature.timestamp_precision],
          ['API client id', signature.api_client_id ?? 'Not set'],
        ]}
      />
      <Text size="sm" fw={500}>
        Signed text
      </Text>
      <CodeBlock text={signature.payload_template ?? ''} what="template of the signed text" wraps />
      <Text size="xs" c="dimmed">
        Requests are checked with the stored key. Its shared secret signs here for its owner alone.
      </Text>
    </>
  );
}
