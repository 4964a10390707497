import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconDownload, IconHelp } from '@tabler/icons-react';
import { CodeBlock } from '../../parts/code-block';
import { Panel } from '../../parts/panel';
import { saveFile } from '../../parts/records/save-file';
import { ShortId } from '../../parts/short-id';
import { TextDifference } from './text-difference';
import type { Workbench } from './use-workbench';
import { type Explanation, headersIn } from './workbench';

/** The signed text, the agreed one, and the verdict. */
export function ResultPanel({ workbench }: { readonly workbench: Workbench }) {
  const { findings, sign, load } = workbench;
  const { signed, explained, exchangeId } = findings;
  const text = explained?.expected_string ?? signed?.signed_string;
  const isWaiting = !signed && !explained && (sign.isPending || load.isPending);
  return (
    <Panel title="Result" actions={signed && <SaveVector workbench={workbench} />}>
      <Stack gap="sm">
        {isWaiting && <Skeleton height={160} role="status" aria-label="Loading" />}
        {exchangeId !== undefined && (
          <Text size="sm" component="div">
            Of the kept request <ShortId id={exchangeId} what="exchange id" />
          </Text>
        )}
        {explained && <Verdict explained={explained} />}
        {explained?.difference && <TextDifference difference={explained.difference} at={explained.differs_at} />}
        {text !== undefined && <Part title="Signed text, as agreed" text={text} what="signed text" />}
        {signed?.signature !== undefined && <Part title="Signature" text={signed.signature} what="signature" />}
      </Stack>
    </Panel>
  );
}

function Part({ title, text, what }: { readonly title: string; readonly text: string; readonly what: string }) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {title}
      </Text>
      <CodeBlock text={text} what={what} wraps maxHeight={240} />
    </div>
  );
}

const verdictStyles = {
  fits: ['teal', 'The signature is right', IconCheck],
  explained: ['red', 'The mistake was found', IconAlertTriangle],
  unknown: ['yellow', 'No known mistake explains it', IconHelp],
  'settings-incomplete': ['yellow', 'Something is not set yet', IconHelp],
} as const;

function Verdict({ explained: { verdict, sentence, clock_skew_s: skew } }: { readonly explained: Explanation }) {
  const [color, title, Mark] = verdictStyles[verdict];
  return (
    <Alert color={color} variant="light" icon={<Mark />} title={title} role="status">
      {sentence}
      {skew !== undefined && Math.abs(skew) > 5 && ` The sender’s clock is ${String(Math.abs(skew))} s ${skew > 0 ? 'ahead' : 'behind'}.`}
    </Alert>
  );
}

/** Saves the case as a test vector for a signing library. */
function SaveVector({ workbench: { bench, draft, findings } }: { readonly workbench: Workbench }) {
  const save = (): void => {
    const { scheme, secret, publicKey, stored } = bench;
    const key = scheme.algorithm === 'HMAC' ? { hmac_secret: secret } : { partner_public_key: publicKey };
    const vector = {
      ...(stored ? { settings_of: stored.id } : { signature: { ...scheme, ...key } }),
      request: { method: draft.method, target: draft.target, headers: headersIn(draft.headers), body: draft.body },
      url: findings.signed?.url,
      signed_string: findings.signed?.signed_string,
      expected_signature: findings.signed?.signature,
    };
    saveFile('signature-vector.json', `${JSON.stringify(vector, null, 2)}\n`, 'application/json');
  };
  return (
    <Button variant="default" size="compact-sm" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
      Save as vector
    </Button>
  );
}
