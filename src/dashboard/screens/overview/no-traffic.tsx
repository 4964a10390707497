import { Box, Button, Paper } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useSession } from '../../api/session';
import { CodeBlock } from '../../parts/code-block';
import { EmptyState } from '../../parts/empty-state';

/** First steps. */
export function NoTraffic() {
  const { role } = useSession();
  const actions =
    role === 'operator' ? (
      <>
        <Button component={Link} to="/sandbox">
          Open the sandbox
        </Button>
        <Button component={Link} to="/integrations" variant="default">
          Create a host app
        </Button>
      </>
    ) : (
      <Button component={Link} to="/integrations">
        See the integrations
      </Button>
    );
  return (
    <Paper withBorder radius="md">
      <EmptyState icon={IconPlugConnected} title="No traffic yet. Start the simulator" actions={actions}>
        Two simulated partners sign on, pay and send events with one command. Or choose a longer range above.
        <Box mt="sm" ta="left">
          <CodeBlock text="npm run demo" what="command that starts the simulator" />
        </Box>
      </EmptyState>
    </Paper>
  );
}
