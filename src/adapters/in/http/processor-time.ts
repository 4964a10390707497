/** Milliseconds that this process has computed so far, all of its threads together. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
