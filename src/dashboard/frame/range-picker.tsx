import { Button, Menu, Modal, Stack, TextInput, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendarTime, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { rangeMs, rangeTitles, type RangeName } from '../parts/range/time-range';
import { useRange } from '../parts/range/use-range';
import { minuteWords, type Zone } from '../parts/time-words';
import { useZone } from '../parts/use-zone';

const names = Object.keys(rangeMs) as RangeName[];

/** Selects the time range, which is kept in the page's URL. */
export function RangePicker() {
  const { range, set } = useRange();
  const [isCustom, custom] = useDisclosure(false);
  const [zone] = useZone();
  const short = (at: number): string => minuteWords(at, zone, Date.now());
  const label = 'name' in range ? rangeTitles[range.name] : `${short(range.from)} – ${short(range.to)}`;
  return (
    <>
      <Menu position="bottom-end" withArrow shadow="md">
        <Menu.Target>
          <Button
            variant="default"
            size="sm"
            px="sm"
            leftSection={<IconCalendarTime size={16} />}
            rightSection={<IconChevronDown size={14} />}
            style={{ flex: 'none' }}
          >
            <VisuallyHidden>Time range: </VisuallyHidden>
            <span className="mantine-visible-from-lg">{label}</span>
            <span className="mantine-hidden-from-lg">{'name' in range ? range.name : 'Custom'}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {names.map((name) => (
            <Menu.Item key={name} onClick={() => set({ name })} fw={'name' in range && range.name === name ? 700 : 400}>
              {rangeTitles[name]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={custom.open}>Custom …</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isCustom} onClose={custom.close} title="Time range" centered closeButtonProps={{ 'aria-label': 'Close' }}>
        <CustomForm zone={zone} onDone={custom.close} />
      </Modal>
    </>
  );
}

/** Formats an instant for a `datetime-local` field. */
const fieldText = (at: number, zone: Zone): string => {
  const shift = zone === 'utc' ? 0 : new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - shift).toISOString().slice(0, 16);
};
const instantOf = (text: string, zone: Zone): number => Date.parse(zone === 'utc' ? `${text}Z` : text);

function CustomForm({ zone, onDone }: { readonly zone: Zone; readonly onDone: () => void }) {
  const { ends, set } = useRange();
  const [from, setFrom] = useState(() => fieldText(ends().from, zone));
  const [to, setTo] = useState(() => fieldText(ends().to, zone));
  const chosen = { from: instantOf(from, zone), to: instantOf(to, zone) };
  const mistake = rangeMistake(chosen);
  const name = zone === 'utc' ? 'UTC' : 'local time';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (mistake !== undefined) return;
        set(chosen);
        onDone();
      }}
    >
      <Stack>
        <TextInput
          type="datetime-local"
          label={`From (${name})`}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
          required
        />
        <TextInput
          type="datetime-local"
          label={`To (${name})`}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
          error={mistake}
          required
        />
        <Button type="submit">Show</Button>
      </Stack>
    </form>
  );
}

function rangeMistake({ from, to }: { from: number; to: number }): string | undefined {
  if (!(from < to)) return 'Must be after the beginning';
  return to - from > rangeMs['31d'] ? 'At most 31 days' : undefined;
}
