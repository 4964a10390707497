import { Group, Tooltip } from '@mantine/core';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { checkNames, type CheckName, type Mark } from './request-model';

const titles: Readonly<Record<CheckName, string>> = { basic: 'Basic', signature: 'Signature', address: 'IP address' };
const letters: Readonly<Record<CheckName, string>> = { basic: 'B', signature: 'S', address: 'IP' };
const markStyles = {
  passed: ['teal', IconCheck, 'passed'],
  refused: ['red', IconX, 'refused'],
  'not-checked': ['gray', IconMinus, 'not checked'],
} as const;

/** The three checks of a call as icons with a label each. */
export function CheckMarks({ marks }: { readonly marks: Readonly<Record<CheckName, Mark>> }) {
  return (
    <Group
      gap={6}
      wrap="nowrap"
      component="span"
      display="inline-flex"
      style={{ verticalAlign: 'middle' }}
      role="img"
      aria-label={wordsOf(marks)}
    >
      {checkNames.map((name) => {
        const [color, Icon, word] = markStyles[marks[name]];
        return (
          <Tooltip key={name} label={`${titles[name]}: ${word}`} withArrow>
            <Group
              gap={2}
              wrap="nowrap"
              component="span"
              display="inline-flex"
              fz="xs"
              fw={600}
              c={marks[name] === 'not-checked' ? 'dimmed' : `light-dark(var(--mantine-color-${color}-9), var(--mantine-color-${color}-3))`}
            >
              <Icon size={13} stroke={2.5} aria-hidden />
              {letters[name]}
            </Group>
          </Tooltip>
        );
      })}
    </Group>
  );
}

const wordsOf = (marks: Readonly<Record<CheckName, Mark>>): string =>
  checkNames.map((name) => `${titles[name]} ${markStyles[marks[name]][2]}`).join(', ');
