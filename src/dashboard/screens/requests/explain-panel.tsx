import { Alert, Button, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconBulb, IconZoomQuestion } from '@tabler/icons-react';
import { useState } from 'react';
import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { CodeBlock } from '../../parts/code-block';
import { Panel } from '../../parts/panel';
import type { ExchangeDetail } from './request-model';

interface Explanation {
  readonly verdict: 'fits' | 'explained' | 'unknown' | 'settings-incomplete';
  readonly sentence: string;
  readonly causes: readonly { readonly code: string; readonly sentence: string }[];
  readonly differs_at?: number;
  readonly difference?: Readonly<Record<'expected' | 'signed', { readonly text: string; readonly column: number }>>;
  readonly expected_string?: string;
  readonly signed_string?: string;
  readonly code: Readonly<Record<string, string>>;
}

/** Why a call's signature did not pass: the mistake in a sentence, the first difference of the texts, and code that signs correctly. */
export function ExplainPanel({ exchange }: { readonly exchange: ExchangeDetail }) {
  const explain = useAction(() => manage<Explanation>('POST', '/signatures/explain', { body: { exchange_id: exchange.id } }));
  if (exchange.refused?.check !== 'signature') return null;
  return (
    <Panel
      title="Signature"
      actions={
        exchange.explainable && (
          <Button leftSection={<IconZoomQuestion size={16} />} loading={explain.isPending} onClick={() => explain.mutate()}>
            Explain signature
          </Button>
        )
      }
    >
      {explain.data ? (
        <Explained explanation={explain.data} />
      ) : (
        <Text size="sm" c="dimmed">
          {exchange.explainable
            ? 'The refused request is kept for a day, so that what was signed otherwise can be found.'
            : 'The refused request is not kept any more: it is for a day. Send it again, or paste it into the workbench.'}
        </Text>
      )}
    </Panel>
  );
}

function Explained({
  explanation: { sentence, difference, differs_at, expected_string, signed_string, verdict, code },
}: {
  readonly explanation: Explanation;
}) {
  return (
    <Stack gap="md">
      <Alert color={verdict === 'explained' ? 'blue' : 'gray'} variant="light" icon={<IconBulb />} role="status">
        <Text size="sm" fw={600}>
          {sentence}
        </Text>
      </Alert>
      {difference && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            The texts part at byte {differs_at}
          </Text>
          <CodeBlock what="difference" text={differenceText(difference)} />
        </div>
      )}
      {expected_string !== undefined && <Titled title="To be signed" text={expected_string} />}
      {signed_string !== undefined && <Titled title="Was signed" text={signed_string} />}
      <FixCode code={code} />
    </Stack>
  );
}

/** Both texts around the first difference, with a marker below. */
function differenceText({ expected, signed }: NonNullable<Explanation['difference']>): string {
  const mark = (column: number): string => `${' '.repeat(10 + column)}▲`;
  return [`agreed    ${expected.text}`, mark(expected.column), `signed    ${signed.text}`, mark(signed.column)].join('\n');
}

function Titled({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <CodeBlock text={text} what={title.toLowerCase()} wraps maxHeight={220} />
    </div>
  );
}

const languageTitles: Readonly<Record<string, string>> = {
  typescript: 'TypeScript',
  php: 'PHP',
  shell: 'Shell',
  python: 'Python',
  java: 'Java',
  go: 'Go',
};

function FixCode({ code }: { readonly code: Explanation['code'] }) {
  const languages = Object.keys(code);
  const [language, setLanguage] = useState(languages[0] ?? '');
  if (languages.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        Code that signs it right
      </Text>
      <div style={{ overflowX: 'auto' }}>
        <SegmentedControl
          size="xs"
          mb="xs"
          aria-label="Language"
          data={languages.map((value) => ({ value, label: languageTitles[value] ?? value }))}
          value={language}
          onChange={setLanguage}
        />
      </div>
      <CodeBlock text={code[language] ?? ''} what="signing code" />
    </div>
  );
}
