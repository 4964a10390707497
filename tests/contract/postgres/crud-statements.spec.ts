import { crudStores, filledAt as at, filledPair as pair, fillStores, type CrudStores } from '../../support/postgres/crud-stores';
import { sentStatements } from '../../support/postgres/sent-statements';
import { onEachDatabase } from '../each-database';

onEachDatabase((name, database) => {
  describe(`what CRUD stores send: ${name}`, () => {
    beforeAll(async () => {
      await database().wipe();
      await fillStores(crudStores(database().db));
    });

    it.each<[string, (stores: CrudStores) => Promise<unknown>]>([
      ['a session that is used', ({ sessions }) => sessions.find('s', at)],
      ['the use of a session', ({ sessions }) => sessions.note('s', at + 1)],
      ['sessions that go on', ({ sessions }) => sessions.living(['s', 't'], at)],
      ['the sessions of an account', ({ sessions }) => sessions.list('acc_1', at)],
      ['an account', ({ accounts }) => accounts.find('acc_1')],
      ['an account by its email', ({ accounts }) => accounts.findByEmail('a@b.example')],
      ['accounts', ({ accounts }) => accounts.list({ limit: 50 })],
      ['a link', ({ accounts }) => accounts.findLink('l', at)],
      ['a host app', ({ hostApps }) => hostApps.find('host_1')],
      ['an integration', ({ integrations }) => integrations.find(pair)],
      ['integrations', ({ integrations }) => integrations.list({ limit: 50 }, { clientId: 'host_1' })],
      ['a link to evidence', ({ evidence }) => evidence.find('ev_1')],
      ['links to evidence', ({ evidence }) => evidence.list({ appId: 'm1' }, { limit: 50, after: 'ev_2' })],
      ['muted problems', ({ mutes }) => mutes.list()],
      ['a run', ({ runs }) => runs.find('r_1')],
      ['the progress of a run', ({ runs }) => runs.beat('r_1', {})],
      ['runs', ({ runs }) => runs.list({ limit: 50 }, 's_1')],
    ])('%s: one statement', async (_what, work) => {
      expect(await sentStatements(database().db, () => work(crudStores(database().db)))).toHaveLength(1);
    });
  });
});
