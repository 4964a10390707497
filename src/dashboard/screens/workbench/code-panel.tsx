import { SegmentedControl, Tabs } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../parts/code-block';
import { Panel } from '../../parts/panel';
import type { Workbench } from './use-workbench';

const languages: Readonly<Record<string, string>> = {
  typescript: 'TypeScript',
  python: 'Python',
  java: 'Java',
  go: 'Go',
  php: 'PHP',
  shell: 'Shell',
};

const purposes = {
  sign: {
    title: 'Sign your calls',
    lead: 'For your calls to Pierhead. Whole programs: method and URL are arguments, the body comes in, the headers go out.',
  },
  check: {
    title: 'Check Pierhead’s calls',
    lead: 'For Pierhead’s calls to you. Whole programs: method, URL and a file of headers are arguments, the body comes in; they end with 0 where the signature fits.',
  },
} as const;

type Purpose = keyof typeof purposes;

/** Code for these settings in six languages, to sign or to check. */
export function CodePanel({ workbench: { findings } }: { readonly workbench: Workbench }) {
  const [purpose, setPurpose] = useState<Purpose>('sign');
  const found = findings.explained ?? findings.signed;
  if (!found) return null;
  const code = purpose === 'sign' ? found.code : found.checking_code;
  const choice = (
    <SegmentedControl
      size="xs"
      value={purpose}
      onChange={setPurpose}
      aria-label="What the code does"
      data={Object.entries(purposes).map(([value, { title }]) => ({ value: value as Purpose, label: title }))}
    />
  );
  return (
    <Panel title="Code for these settings" lead={purposes[purpose].lead} actions={choice}>
      <Tabs defaultValue="typescript" keepMounted={false} variant="pills">
        <Tabs.List mb="sm">
          {Object.keys(code).map((language) => (
            <Tabs.Tab key={language} value={language}>
              {languages[language] ?? language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(code).map(([language, text]) => (
          <Tabs.Panel key={language} value={language}>
            <CodeBlock text={text} what={`${languages[language] ?? language} code`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Panel>
  );
}
