import { Button, Group } from '@mantine/core';
import { request, pathOf } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { saveFile } from '../../parts/records/save-file';

const forms = [
  { form: 'junit', title: 'JUnit', ending: 'xml', type: 'application/xml' },
  { form: 'json', title: 'JSON', ending: 'json', type: 'application/json' },
  { form: 'html', title: 'HTML', ending: 'html', type: 'text/html' },
  { form: 'badge', title: 'Badge', ending: 'svg', type: 'image/svg+xml' },
] as const;

/** Downloads the report of a run in each format. */
export function ReportLinks({ id }: { readonly id: string }) {
  const save = useAction(async ({ form, ending, type }: (typeof forms)[number]) => {
    const answer = await request('GET', `${pathOf('conformance', 'runs', id)}/report`, { query: { form } });
    saveFile(`conformance-${id}.${ending}`, await answer.text(), type);
  });
  return (
    <Group gap={4}>
      {forms.map((one) => (
        <Button key={one.form} size="compact-sm" variant="subtle" onClick={() => save.mutate(one)} aria-label={`Download ${one.title}`}>
          {one.title}
        </Button>
      ))}
    </Group>
  );
}
