import { Switch } from '@mantine/core';
import { manage } from '../../api/manage';
import { useSession } from '../../api/session';
import { useAction } from '../../api/use-action';
import { Panel } from '../../parts/panel';
import type { PartnerRef } from '../../parts/use-partner-choice';
import type { PartnerSettings } from './credential';

interface AnalyticsPanelProps {
  readonly partner: PartnerRef;
  readonly settings: PartnerSettings;
}

/** Whether a signing miniapp must sign its analytics. */
export function AnalyticsPanel({ partner, settings: { analytics_signature = 'required' } }: AnalyticsPanelProps) {
  const { viewAs } = useSession();
  const change = useAction((analytics: string) => manage('PATCH', partner.path, { body: { analytics_signature: analytics } }), {
    touches: [partner.path],
    done: (_answer, chosen) => (chosen === 'required' ? 'Analytics must be signed' : 'Analytics may come by Basic alone'),
  });
  const chosen = change.isPending ? change.variables : analytics_signature;
  return (
    <Panel title="Analytics" lead="Reports carry Basic credentials; a signature that is sent is always checked.">
      <Switch
        label="Analytics must be signed"
        checked={chosen === 'required'}
        disabled={viewAs !== undefined}
        aria-busy={change.isPending}
        onChange={({ currentTarget }) => !change.isPending && change.mutate(currentTarget.checked ? 'required' : 'when_sent')}
      />
    </Panel>
  );
}
