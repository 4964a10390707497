import { csvText, readAll } from '../../../src/dashboard/parts/records/csv';
import { choicesOf, filteredPath, filtersIn, withFilter, withoutFilters } from '../../../src/dashboard/parts/records/filters';
import { endsOf, rangeIn, withRange } from '../../../src/dashboard/parts/range/time-range';
import { distanceWords, lengthWords, minuteWords, timeWords } from '../../../src/dashboard/parts/time-words';

const filters = [
  { name: 'status', title: 'State', choices: ['in_process', { value: 'paid', label: 'Paid' }] },
  { name: 'client_id', title: 'Host app' },
];
const query = (text: string): URLSearchParams => new URLSearchParams(text);

describe('filters in the URL', () => {
  it('are those that hold something, without blanks around it', () => {
    expect(filtersIn(query('status=paid&client_id=%20h1%20&other=1&range=1h'), filters)).toEqual({ status: 'paid', client_id: 'h1' });
    expect(filtersIn(query('status='), filters)).toEqual({});
  });

  it('are set and taken away one by one, or all, and leave the range alone', () => {
    expect(withFilter(query('range=1h'), 'status', 'paid').toString()).toBe('range=1h&status=paid');
    expect(withFilter(query('range=1h&status=paid'), 'status', ' ').toString()).toBe('range=1h');
    expect(withoutFilters(query('range=1h&status=paid&client_id=x'), filters).toString()).toBe('range=1h');
  });

  it('make the address of a filtered list', () => {
    expect(filteredPath('/requests', { status: 500, error_code: undefined, call: 'a b' })).toBe('/requests?status=500&call=a+b');
    expect(filteredPath('/requests', {})).toBe('/requests');
  });

  it('offer their choices in words', () => {
    expect(choicesOf(filters[0]!)).toEqual([
      { value: 'in_process', label: 'in process' },
      { value: 'paid', label: 'Paid' },
    ]);
  });
});

describe('the time range in the URL', () => {
  it('is the last 24 hours where nothing usable is said', () => {
    for (const text of ['', 'range=2y', 'from=x&to=y', 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z']) {
      expect(rangeIn(query(text))).toEqual({ name: '24h' });
    }
    expect(withRange(query('range=7d&a=1'), { name: '24h' }).toString()).toBe('a=1');
  });

  it('ends now, or has two ends at most 31 days apart', () => {
    expect(endsOf(rangeIn(query('range=15m')), 1_000_000)).toEqual({ from: 100_000, to: 1_000_000 });
    const fixed = withRange(query('range=7d'), { from: 0, to: 60_000 });
    expect(fixed.toString()).toBe('from=1970-01-01T00%3A00%3A00.000Z&to=1970-01-01T00%3A01%3A00.000Z');
    expect(rangeIn(fixed)).toEqual({ from: 0, to: 60_000 });
    expect(rangeIn(query('from=2026-01-01T00:00:00Z&to=2026-12-01T00:00:00Z'))).toEqual({
      from: Date.UTC(2026, 0, 1),
      to: Date.UTC(2026, 1, 1),
    });
  });
});

describe('a list as CSV', () => {
  it('quotes cells as needed and disarms spreadsheet formulas', () => {
    const text = csvText(
      ['id', 'note'],
      [
        [1, 'a "b", c'],
        ['-12.50', '=HYPERLINK("x")'],
        [undefined, '+a\nb'],
      ],
    );
    expect(text).toBe('\ufeffid,note\r\n1,"a ""b"", c"\r\n-12.50,"\'=HYPERLINK(""x"")"\r\n,"\'+a\nb"\r\n');
  });

  it('goes through all pages, and says where it stopped before the end', async () => {
    const pages = async (cursor = '0') => ({ data: [cursor, cursor], next_cursor: cursor === '3' ? null : String(Number(cursor) + 1) });
    expect(await readAll(pages)).toEqual({ rows: ['0', '0', '1', '1', '2', '2', '3', '3'], isCut: false });
    expect(await readAll(pages, 3)).toEqual({ rows: ['0', '0', '1'], isCut: true });
  });
});

describe('times in words', () => {
  it('say lengths and distances in their largest unit', () => {
    expect([0, 350, 1000, 1500, 90_000, 7_200_000, 172_800_000].map(lengthWords)).toEqual([
      '0 s',
      '350 ms',
      '1 s',
      '1.5 s',
      '2 m',
      '2 h',
      '2 d',
    ]);
    expect([distanceWords(0, 240_000), distanceWords(240_000, 0), distanceWords(5, 6), distanceWords(0, 4400)]).toEqual([
      '4 m ago',
      'in 4 m',
      'now',
      '4 s ago',
    ]);
  });

  it('show the start of a slot without seconds, and its date if that is another day', () => {
    const at = Date.UTC(2026, 10, 21, 14, 3);
    expect([minuteWords(at, 'utc', at), minuteWords(at, 'utc', at + 86_400_000)]).toEqual(['14:03', '21 Nov 14:03']);
  });

  it('say an instant in UTC', () => {
    expect(timeWords(Date.UTC(2026, 10, 21, 14, 3, 59, 7), 'utc', true)).toBe('21 Nov 2026, 14:03:59.007 UTC');
  });
});
