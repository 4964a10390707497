import { Paper, Text } from '@mantine/core';
import { Link } from 'react-router';
import { pathOf } from '../../api/manage';
import { percentText, successOf, type PairFigures } from '../../parts/figures/figures';
import { useRangeSearch } from '../../parts/range/use-range';
import { healthOf, type Integration, type Partner } from './integration';
import styles from './integrations.module.css';

interface IntegrationGridProps {
  readonly integrations: readonly Integration[];
  readonly hostApps: readonly Partner[];
  readonly miniapps: readonly Partner[];
  readonly figures: readonly PairFigures[];
}

/** Host apps as rows, miniapps as columns; each cell shows the integration's health by colour and in words. */
export function IntegrationGrid({ integrations, hostApps, miniapps, figures }: IntegrationGridProps) {
  const clients = [...new Set(integrations.map(({ client_id }) => client_id))];
  const apps = [...new Set(integrations.map(({ app_id }) => app_id))];
  return (
    <Paper withBorder radius="md" p="md" className={styles.scroll ?? ''} tabIndex={0} role="region" aria-label="Integrations by health">
      <table className={styles.grid}>
        <thead>
          <tr>
            <th aria-label="Host app" />
            {apps.map((id) => (
              <th key={id} scope="col" title={id}>
                {miniapps.find((one) => one.app_id === id)?.name ?? id}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {clients.map((client) => (
            <tr key={client}>
              <th scope="row" title={client}>
                {hostApps.find((one) => one.client_id === client)?.name ?? client}
              </th>
              {apps.map((app) => (
                <td key={app}>
                  <Cell
                    integration={integrations.find((one) => one.client_id === client && one.app_id === app)}
                    figures={figures.find((one) => one.client_id === client && one.app_id === app)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Paper>
  );
}

function Cell({ integration, figures }: { readonly integration: Integration | undefined; readonly figures: PairFigures | undefined }) {
  const range = useRangeSearch();
  if (!integration) {
    return (
      <Text size="xs" c="dimmed" px={10}>
        –
      </Text>
    );
  }
  const { tone, words } = healthOf(figures);
  return (
    <Link className={styles.cell} data-tone={tone} to={`/integrations${pathOf(integration.client_id, integration.app_id)}${range}`}>
      <b>{words}</b>
      <br />
      {figures ? percentText(successOf(figures)) : integration.status}
    </Link>
  );
}
