import { Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { Page } from '../../api/use-records';
import { useRecord } from '../../api/use-record';
import { Panel } from '../../parts/panel';
import { nameOf, usePartnerChoice } from '../../parts/use-partner-choice';
import { StoredSettings } from './stored-settings';
import type { Bench, Workbench } from './use-workbench';
import { type Algorithm, type Preset, sampleScheme, type Scheme } from './workbench';

interface OfBench {
  readonly workbench: Workbench;
}

/** The signature settings: entered here, based on a preset, or a partner's stored ones. */
export function SchemePanel({ workbench }: OfBench) {
  const { bench } = workbench;
  return (
    <Panel title="Settings">
      <Stack gap="sm">
        <SourceField workbench={workbench} />
        {bench.stored ? <StoredSettings partner={bench.stored} /> : <SchemeFields workbench={workbench} />}
      </Stack>
    </Panel>
  );
}

function SourceField({ workbench: { bench, setBench } }: OfBench) {
  const presets = useRecord<Page<Preset>>('/signatures/presets').data?.data ?? [];
  const { partners } = usePartnerChoice();
  const choose = (name: string | null): void => {
    const stored = partners.find((one) => nameOf(one) === name);
    const preset = presets.find((one) => `preset:${one.name}` === name);
    if (stored) setBench({ ...bench, stored });
    else setBench({ ...bench, stored: undefined, ...(preset && { scheme: { ...sampleScheme, ...preset.signature } }) });
  };
  return (
    <Select
      label="From"
      description="A preset fills the fields; a partner’s own settings are used as they are stored"
      allowDeselect={false}
      value={bench.stored ? nameOf(bench.stored) : 'own'}
      data={[
        { group: 'Here', items: [{ value: 'own', label: 'The fields below' }] },
        { group: 'Presets', items: presets.map(({ name }) => ({ value: `preset:${name}`, label: name })) },
        { group: 'Partners', items: partners.map((one) => ({ value: nameOf(one), label: one.name })) },
      ]}
      onChange={choose}
    />
  );
}

const hashes = ['SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA-1', 'MD5'];

function SchemeFields({ workbench: { bench, setBench } }: OfBench) {
  const { scheme } = bench;
  const set = (changed: Partial<Scheme>): void => setBench({ ...bench, scheme: { ...scheme, ...changed } });
  const select = (label: string, value: string, data: readonly string[], onChange: (value: string) => void) => (
    <Select label={label} value={value} data={[...data]} allowDeselect={false} onChange={(chosen) => chosen !== null && onChange(chosen)} />
  );
  return (
    <>
      {select('Algorithm', scheme.algorithm, ['HMAC', 'RSA2', 'ECDSA'], (algorithm) => {
        setBench({ ...bench, publicKey: '', scheme: { ...scheme, algorithm: algorithm as Algorithm } });
      })}
      {select('Hash', scheme.hash, hashes, (hash) => set({ hash }))}
      {select('Encoding', scheme.encoding, ['base64', 'base64url', 'hex'], (encoding) => set({ encoding }))}
      <Textarea
        label="Signed text"
        autosize
        minRows={2}
        value={scheme.payload_template}
        styles={mono}
        onChange={(event) => set({ payload_template: event.currentTarget.value })}
      />
      {select('URL', scheme.url_form, ['full', 'path'], (form) => set({ url_form: form as Scheme['url_form'] }))}
      {select('Timestamp', scheme.timestamp_precision, ['seconds', 'milliseconds', 'microseconds', 'nanoseconds'], (precision) =>
        set({ timestamp_precision: precision }),
      )}
      <BodyFields scheme={scheme} set={set} />
      <KeyFields bench={bench} setBench={setBench} set={set} />
    </>
  );
}

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };

interface OfScheme {
  readonly scheme: Scheme;
  readonly set: (changed: Partial<Scheme>) => void;
}

function BodyFields({ scheme, set }: OfScheme) {
  return (
    <>
      <Switch
        label="Nonce in each call"
        checked={scheme.nonce_length > 0}
        onChange={(event) => set({ nonce_length: event.currentTarget.checked ? 32 : 0 })}
      />
      <Switch
        label="JSON with spaces after commas and colons"
        checked={scheme.payload_spaces}
        onChange={(event) => set({ payload_spaces: event.currentTarget.checked })}
      />
      <Switch
        label="JSON members sorted by name"
        checked={scheme.payload_sort_keys}
        onChange={(event) => set({ payload_sort_keys: event.currentTarget.checked })}
      />
      <Switch
        label="JSON in ASCII: other characters as \u escapes"
        checked={scheme.payload_ascii}
        onChange={(event) => set({ payload_ascii: event.currentTarget.checked })}
      />
    </>
  );
}

interface KeyFieldsProps {
  readonly bench: Bench;
  readonly setBench: (bench: Bench) => void;
  readonly set: OfScheme['set'];
}

function KeyFields({ bench, setBench, set }: KeyFieldsProps) {
  const isHmac = bench.scheme.algorithm === 'HMAC';
  return (
    <>
      <TextInput
        label="API client id"
        value={bench.scheme.api_client_id ?? ''}
        onChange={(event) => set({ api_client_id: event.currentTarget.value })}
      />
      {isHmac ? (
        <TextInput
          label="HMAC secret"
          description="Used for this answer and not kept. The sample’s is known to everybody"
          value={bench.secret}
          styles={mono}
          autoComplete="off"
          onChange={(event) => setBench({ ...bench, secret: event.currentTarget.value })}
        />
      ) : (
        <>
          <Textarea
            label="Public key"
            description="To check with. Signing here makes a throwaway pair and puts its public key here"
            autosize
            minRows={3}
            maxRows={6}
            value={bench.publicKey}
            styles={mono}
            onChange={(event) => setBench({ ...bench, publicKey: event.currentTarget.value })}
          />
          <Text size="xs" c="dimmed">
            Never paste a private key: none is asked for here.
          </Text>
        </>
      )}
    </>
  );
}
