import styles from './panel-cards.module.css';

interface StoredTableProps {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table of one kind of record. */
export function StoredTable({ title, heads, rows }: StoredTableProps) {
  return (
    <section className={styles.card} aria-label={title}>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p className={styles.note}>Nothing yet.</p>
      ) : (
        <table className={styles.repository}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={`${row.join()} ${String(rows.length - i)}`}>
                {row.map((cell, column) => (
                  <td key={heads[column]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
