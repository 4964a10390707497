import { Select, Text } from '@mantine/core';
import { nameOf, type PartnerChoice } from './use-partner-choice';

/** Selects the partner of a screen; shows only the name when there is no choice. */
export function PartnerPicker({ choice }: { readonly choice: PartnerChoice }) {
  const { partners, partner, choose } = choice;
  if (!partner) return null;
  if (partners.length === 1) return <Text fw={600}>{partner.name}</Text>;
  const group = (kind: string, title: string) => ({
    group: title,
    items: partners.filter((one) => one.kind === kind).map((one) => ({ value: nameOf(one), label: one.name })),
  });
  return (
    <Select
      aria-label="Partner"
      w={{ base: '100%', xs: 260 }}
      data={[group('host-app', 'Host apps'), group('miniapp', 'Miniapps')]}
      value={nameOf(partner)}
      allowDeselect={false}
      searchable={partners.length > 8}
      onChange={(name) => {
        const chosen = partners.find((one) => nameOf(one) === name);
        if (chosen) choose(chosen);
      }}
    />
  );
}
