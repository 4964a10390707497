import styles from '../phone/home-screen.module.css';

const lately = [
  ['Bakery', 'Today, 08:12', '−6.40'],
  ['Bikes', 'Yesterday', '−3.00'],
  ['Top-up', 'Monday', '+100.00'],
] as const;

/** Recent wallet transactions, for decoration only. */
export function LatelyList() {
  return (
    <>
      <h2 className={styles.heading}>Lately</h2>
      <ul className={styles.lately}>
        {lately.map(([what, when, sum]) => (
          <li key={what}>
            <span>
              {what}
              <small>{when}</small>
            </span>
            {sum}
          </li>
        ))}
      </ul>
    </>
  );
}
