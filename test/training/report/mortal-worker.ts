/** Tasks of a pool: some end their thread. */
export function open(): (task: string) => Promise<string> {
  return async (task) => {
    if (task === "die") process.exit(1);
    if (task === "die later") setTimeout(() => process.exit(1), 20);
    if (task === "slow") await new Promise((done) => setTimeout(done, 200));
    return task;
  };
}
