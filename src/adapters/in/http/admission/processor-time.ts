/** CPU milliseconds that this process has used so far, over all of its threads. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
